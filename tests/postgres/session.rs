//! One connection in a thread of its own, so that a statement can wait while the test goes on.

use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::spawn;
use std::time::Duration;

use effectively_once::labs::inbox::database::{
    Answer, Applied, Change, Error, Receipt, Row, Statement, Status,
};
use postgres::{Client, SimpleQueryMessage, SimpleQueryRow};

use super::server::Server;

/// A statement in SQL. `unique` says which of the two tables of receipts it is about.
pub fn sql(statement: Statement, unique: bool) -> String {
    let receipts = if unique { "receipts" } else { "receipts_free" };
    let columns = "token, lease_over, digest, version, result";
    match statement {
        Statement::Begin => "BEGIN".into(),
        Statement::Commit => "COMMIT".into(),
        Statement::Rollback => "ROLLBACK".into(),
        Statement::FindReceipt(key) => {
            format!("SELECT {columns} FROM {receipts} WHERE key = {key} ORDER BY id LIMIT 1")
        }
        Statement::Insert(key, receipt) => insertion(receipts, key, &receipt),
        Statement::InsertOrNothing(key, receipt) => {
            let insertion = insertion(receipts, key, &receipt);
            format!("{insertion} ON CONFLICT (key) DO NOTHING")
        }
        Statement::InsertOrFind(key, receipt) => {
            let insertion = insertion(receipts, key, &receipt);
            format!(
                "WITH inserted AS ({insertion} ON CONFLICT (key) DO NOTHING RETURNING 1) \
                 SELECT 'inserted', NULL, NULL, NULL, NULL FROM inserted UNION ALL \
                 SELECT token::text, lease_over::text, digest::text, version::text, result::text \
                 FROM {receipts} WHERE key = {key} LIMIT 1"
            )
        }
        Statement::TakeOver(key, token) => format!(
            "UPDATE {receipts} SET token = token + 1, lease_over = false \
             WHERE key = {key} AND token = {token} AND lease_over"
        ),
        Statement::Complete { key, result, token } => {
            let owned = token.map_or(String::new(), |token| format!(" AND token = {token}"));
            // Without a unique key a client knows its row by the id that it was given.
            let which = match unique {
                true => format!("key = {key}{owned}"),
                false => format!("id = currval('{receipts}_id_seq')"),
            };
            let result = result_number(Some(result));
            format!("UPDATE {receipts} SET token = 0, result = {result} WHERE {which}")
        }
        Statement::FindRow(row) => {
            format!("SELECT e0, e1, e2, state, version FROM accounts WHERE id = {row}")
        }
        Statement::Change(row, change) => {
            let (set, condition) = update(change);
            format!(
                "UPDATE accounts SET {set}, version = version + 1 WHERE id = {row} AND {condition}"
            )
        }
    }
}

fn insertion(receipts: &str, key: u8, receipt: &Receipt) -> String {
    let token = match receipt.status {
        Status::Done => 0,
        Status::InProgress { token, .. } => token,
    };
    let (digest, version) = (receipt.digest, receipt.version);
    let result = result_number(receipt.result);
    format!(
        "INSERT INTO {receipts} (key, token, lease_over, digest, version, result) \
         VALUES ({key}, {token}, false, {digest}, {version}, {result})"
    )
}

fn update(change: Change) -> (String, String) {
    let plus = |event: u8| format!("e{event} = e{event} + 1");
    let all = |row: Row| {
        let [e0, e1, e2] = row.contained;
        format!("e0 = {e0}, e1 = {e1}, e2 = {e2}, state = {}", row.state)
    };
    let anyhow = String::from("true");
    match change {
        Change::Add(event) => (plus(event), anyhow),
        Change::Set(row) => (all(row), anyhow),
        Change::SetVersioned(row) => (all(row), format!("version = {}", row.version)),
        Change::Target(event, state) => (format!("state = {state}, {}", plus(event)), anyhow),
        Change::Newest(event, state) => (
            format!("state = {state}, {}", plus(event)),
            format!("state < {state}"),
        ),
        Change::ReserveOfPosted(event) => (plus(event), "posted >= 1".into()),
        Change::ReserveOfAvailable(event) => (plus(event), "posted - (e0 + e1 + e2) >= 1".into()),
        Change::Forbidden => ("state = -1".into(), anyhow),
    }
}

fn result_number(result: Option<Applied>) -> i32 {
    match result {
        None => 0,
        Some(Applied::Yes) => 1,
        Some(Applied::Refused) => 2,
    }
}

fn field<T: std::str::FromStr>(row: &SimpleQueryRow, column: usize) -> T {
    let text = row.get(column).expect("a value in every column");
    text.parse().ok().expect("a number")
}

pub fn receipt(row: &SimpleQueryRow) -> Receipt {
    let lease_is_over = matches!(row.get(1), Some("t" | "true"));
    Receipt {
        status: match field(row, 0) {
            0 => Status::Done,
            token => Status::InProgress {
                token,
                lease_is_over,
            },
        },
        digest: field(row, 2),
        version: field(row, 3),
        result: match field(row, 4) {
            0 => None,
            1 => Some(Applied::Yes),
            _ => Some(Applied::Refused),
        },
    }
}

pub fn account(row: &SimpleQueryRow) -> Row {
    Row {
        contained: [field(row, 0), field(row, 1), field(row, 2)],
        state: field(row, 3),
        version: field(row, 4),
    }
}

/// What the server says, in the model's words. It does not tell a COMMIT that rolls back from one
/// that commits: the tables do.
fn answer(statement: Statement, said: Result<Vec<SimpleQueryMessage>, postgres::Error>) -> Answer {
    let said = match said {
        Ok(said) => said,
        Err(error) => {
            let code = error
                .code()
                .expect("an error with a code")
                .code()
                .to_owned();
            return Answer::Error(match code.as_str() {
                "23505" => Error::UniqueViolation,
                "23514" => Error::CheckViolation,
                "25P02" => Error::InFailedTransaction,
                "40P01" => Error::Deadlock,
                other => panic!("{statement:?}: {other}: {error}"),
            });
        }
    };
    let row = said.iter().find_map(|message| match message {
        SimpleQueryMessage::Row(row) => Some(row),
        _ => None,
    });
    let count = said.iter().find_map(|message| match message {
        SimpleQueryMessage::CommandComplete(count) => Some(*count as u8),
        _ => None,
    });
    match statement {
        Statement::Begin | Statement::Commit | Statement::Rollback => Answer::Done,
        Statement::FindReceipt(_) => Answer::Receipt(row.map(receipt)),
        Statement::InsertOrFind(..) => match row {
            Some(row) if row.get(0) == Some("inserted") => Answer::Rows(1),
            row => Answer::Receipt(row.map(receipt)),
        },
        Statement::FindRow(_) => Answer::Row(account(row.expect("the row"))),
        _ => Answer::Rows(count.expect("a number of rows")),
    }
}

pub struct Session {
    pid: i32,
    send: Sender<(Statement, String)>,
    receive: Receiver<Answer>,
    /// An answer that has come and was only looked at.
    arrived: Option<Answer>,
}

impl Session {
    pub fn open(server: &Server) -> Session {
        let mut client = server.connect();
        let pid = client
            .query_one("SELECT pg_backend_pid()", &[])
            .expect("the number of the backend")
            .get(0);
        let (send, statements) = channel::<(Statement, String)>();
        let (answers, receive) = channel();
        // It ends with the server, if not before.
        spawn(move || {
            for (statement, sql) in statements {
                let said = client.simple_query(&sql);
                answers.send(answer(statement, said)).ok();
            }
        });
        Session {
            pid,
            send,
            receive,
            arrived: None,
        }
    }

    pub fn send(&self, statement: Statement, sql: String) {
        let sent = self.send.send((statement, sql));
        sent.expect("a session that listens");
    }

    /// The answer to the statement that was sent last; [`Answer::Blocked`] once the server says that
    /// it waits for a lock. A deadlock may be found before anybody asks.
    pub fn answer(&self, monitor: &mut Client) -> Answer {
        loop {
            match self.receive.recv_timeout(Duration::from_millis(2)) {
                Ok(answer) => return answer,
                Err(RecvTimeoutError::Timeout) if self.waits(monitor) => return Answer::Blocked,
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => panic!("the session is gone"),
            }
        }
    }

    /// The answer to a statement that can go on.
    pub fn wait(&mut self) -> Answer {
        let arrived = self.arrived.take();
        arrived.unwrap_or_else(|| {
            let answer = self.receive.recv_timeout(Duration::from_secs(60));
            answer.expect("an answer once the lock is free")
        })
    }

    /// The answer, if it has come; it can still be waited for.
    pub fn peek(&mut self) -> Option<Answer> {
        let late = || self.receive.recv_timeout(Duration::from_millis(1)).ok();
        self.arrived = self.arrived.take().or_else(late);
        self.arrived
    }

    fn waits(&self, monitor: &mut Client) -> bool {
        let query = "SELECT cardinality(pg_blocking_pids($1)) > 0";
        let row = monitor.query_one(query, &[&self.pid]);
        row.expect("what the server says of its locks").get(0)
    }
}
