//! A database that behaves as PostgreSQL does at READ COMMITTED, as far as a few connections can
//! tell that work on one table of receipts and one of business rows.
//!
//! * What a transaction has written, nobody else sees before its commit.
//! * Every statement sees what was committed when it began.
//! * Who wants to insert a key that another open transaction has inserted, or to change a row that
//!   another has changed, waits for the end of that transaction, whichever end it is, and goes on at
//!   once. `ON CONFLICT DO NOTHING` waits as well. An UPDATE looks at its condition again, on the
//!   newest version.
//! * A statement that fails takes its transaction with it: locks are free at once, and every further
//!   statement is refused (25P02) until ROLLBACK. COMMIT then rolls back, and reports no error.
//! * Transactions that wait for each other in a circle wait for ever, so one of them is chosen as the
//!   victim (40P01). Which one, depends on whose patience ends first: the caller chooses.
//!
//! Sources: the manual of PostgreSQL, chapters 13.2.1 (Read Committed), 13.3 (Explicit Locking), the
//! pages of INSERT and COMMIT. `tests/postgres.rs` compares every interleaving with a real server.
//!
//! Left out: a real server wakes whoever waited a moment after the lock is free, so that somebody
//! very quick could come first; and it notices that a client has died while its statement waits only
//! once the wait is over.

mod statement;

pub use statement::{Answer, Change, Error, Statement};

use statement::changed;

/// A connection, and with it the one transaction that it can have.
pub type Conn = u8;
pub const CONNS_MAX: usize = 6;
/// The place of a key among the keys that receipts can have.
pub type Key = u8;
pub const KEYS_MAX: usize = 4;
pub type RowId = u8;
pub const ROWS_MAX: usize = 2;
/// Who changes a row: an event, by its place.
pub type EventId = u8;
pub const EVENTS_MAX: usize = 3;
/// From here on nobody counts how often an event is contained in a row.
pub const TIMES_MAX: u8 = 3;
/// From here on nobody tells versions of a row apart.
pub const VERSION_MAX: u8 = 15;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Database {
    /// Whether the table of receipts has a unique key.
    pub unique: bool,
    pub receipts: [Receipts; KEYS_MAX],
    pub rows: [Versions; ROWS_MAX],
    pub connections: [Connection; CONNS_MAX],
}

/// The receipts of one key.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Receipts {
    pub committed: Option<Receipt>,
    /// Without a unique key there can be more than one.
    pub has_twin: bool,
    /// What open transactions have written, by connection.
    pub staged: [Option<Staged>; CONNS_MAX],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Staged {
    pub receipt: Receipt,
    /// Inserted, rather than changed.
    pub is_new: bool,
}

/// That an event was seen, and what became of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Receipt {
    pub status: Status,
    /// Of the content.
    pub digest: u8,
    /// The version of the handler that wrote it.
    pub version: u8,
    /// What the handler answered, once that is stored.
    pub result: Option<Applied>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Status {
    /// Somebody works on it; the token counts who has taken it over.
    InProgress {
        token: u8,
        lease_is_over: bool,
    },
    Done,
}

/// Whether the business took the change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Applied {
    Yes,
    Refused,
}

/// A business row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Row {
    /// How often each event is contained in it.
    pub contained: [u8; EVENTS_MAX],
    /// The newest state that was set, where events set states.
    pub state: u8,
    /// How often it was written.
    pub version: u8,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Versions {
    pub committed: Row,
    /// Who has written it and not ended yet, and what.
    pub staged: Option<(Conn, Row)>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Connection {
    pub transaction: Transaction,
    pub wait: Option<Wait>,
    /// The answer to a statement that has waited, until the client reads it.
    answer: Option<Answer>,
}

/// A statement that waits for the end of another transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Wait {
    pub holder: Conn,
    statement: Statement,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Transaction {
    /// None is open: every statement commits by itself.
    #[default]
    None,
    Open,
    /// A statement has failed.
    Failed,
}

impl Database {
    pub fn new(unique: bool) -> Database {
        Database {
            unique,
            receipts: Default::default(),
            rows: Default::default(),
            connections: Default::default(),
        }
    }

    /// Sends a statement on a connection; where one has waited there, reads its answer.
    pub fn execute(&mut self, conn: Conn, statement: Statement) -> Answer {
        let connection = self.connection_mut(conn);
        if let Some(answer) = connection.answer.take() {
            return answer;
        }
        if connection.transaction == Transaction::Failed {
            return self.refuse(conn, statement);
        }
        if let Some(holder) = self.holder(conn, statement) {
            self.connection_mut(conn).wait = Some(Wait { holder, statement });
            return Answer::Blocked;
        }
        self.finish(conn, statement, false)
    }

    /// Runs a statement that has all the locks that it needs.
    fn finish(&mut self, conn: Conn, statement: Statement, has_waited: bool) -> Answer {
        let transaction = self.connection(conn).transaction;
        let answer = self.run(conn, statement, has_waited);
        match answer {
            Answer::Error(_) => self.fail(conn),
            _ if transaction == Transaction::None && statement != Statement::Begin => {
                self.end(conn, true);
            }
            _ => {}
        }
        answer
    }

    /// The transaction that a statement waited for has ended. It goes on at once, whether its client
    /// looks or not, so that nobody can snatch the lock.
    fn resume(&mut self, conn: Conn, statement: Statement) {
        if let Some(holder) = self.holder(conn, statement) {
            self.connection_mut(conn).wait = Some(Wait { holder, statement });
            return;
        }
        let answer = self.finish(conn, statement, true);
        self.connection_mut(conn).answer = Some(answer);
    }

    /// What a failed transaction still understands.
    fn refuse(&mut self, conn: Conn, statement: Statement) -> Answer {
        match statement {
            Statement::Commit => {
                self.end(conn, false);
                Answer::RolledBack
            }
            Statement::Rollback => {
                self.end(conn, false);
                Answer::Done
            }
            _ => Answer::Error(Error::InFailedTransaction),
        }
    }

    /// The other connection whose lock the statement needs.
    fn holder(&self, conn: Conn, statement: Statement) -> Option<Conn> {
        match statement {
            Statement::Insert(key, _)
            | Statement::InsertOrNothing(key, _)
            | Statement::InsertOrFind(key, _)
                if self.unique =>
            {
                self.other_writer(conn, key, |_| true)
            }
            // An UPDATE does not see what another has inserted and not committed.
            Statement::TakeOver(key, token) if self.can_be_taken(conn, key, token) => {
                self.other_writer(conn, key, |staged| !staged.is_new)
            }
            Statement::Complete { key, token, .. } if self.has_token(conn, key, token) => {
                self.other_writer(conn, key, |staged| !staged.is_new)
            }
            // One whose condition does not hold passes the row over, locked or not, and a
            // constraint is checked before the row is locked.
            Statement::Change(row, change) if changed(self.row(conn, row), change).is_some() => {
                let (writer, _) = self.rows[usize::from(row)].staged?;
                (writer != conn && change != Change::Forbidden).then_some(writer)
            }
            _ => None,
        }
    }

    fn other_writer(&self, conn: Conn, key: Key, locks: fn(&Staged) -> bool) -> Option<Conn> {
        let staged = &self.receipts[usize::from(key)].staged;
        let others = (0..).zip(staged).filter(|(other, _)| *other != conn);
        let mut holders = others.filter(|(_, staged)| staged.as_ref().is_some_and(locks));
        holders.next().map(|(holder, _)| holder)
    }

    fn run(&mut self, conn: Conn, statement: Statement, has_waited: bool) -> Answer {
        match statement {
            Statement::Begin => {
                self.connection_mut(conn).transaction = Transaction::Open;
                Answer::Done
            }
            Statement::Commit => {
                self.end(conn, true);
                Answer::Done
            }
            Statement::Rollback => {
                self.end(conn, false);
                Answer::Done
            }
            Statement::FindReceipt(key) => Answer::Receipt(self.receipt(conn, key)),
            Statement::Insert(key, receipt) => match self.insert(conn, key, receipt) {
                true => Answer::Rows(1),
                false => Answer::Error(Error::UniqueViolation),
            },
            Statement::InsertOrNothing(key, receipt) => {
                Answer::Rows(self.insert(conn, key, receipt).into())
            }
            Statement::InsertOrFind(key, receipt) => {
                if self.insert(conn, key, receipt) {
                    Answer::Rows(1)
                } else if has_waited {
                    // The row was not committed when this statement began.
                    Answer::Receipt(None)
                } else {
                    Answer::Receipt(self.receipt(conn, key))
                }
            }
            Statement::TakeOver(key, token) => {
                let can_be_taken = self.can_be_taken(conn, key, token);
                let taken = Status::InProgress {
                    token: token + 1,
                    lease_is_over: false,
                };
                self.update(conn, key, can_be_taken, |receipt| receipt.status = taken)
            }
            Statement::Complete { key, result, token } => {
                let has_token = self.has_token(conn, key, token);
                self.update(conn, key, has_token, |receipt| {
                    receipt.status = Status::Done;
                    receipt.result = Some(result);
                })
            }
            Statement::FindRow(row) => Answer::Row(self.row(conn, row)),
            Statement::Change(_, Change::Forbidden) => Answer::Error(Error::CheckViolation),
            Statement::Change(row, change) => match changed(self.row(conn, row), change) {
                Some(written) => {
                    self.rows[usize::from(row)].staged = Some((conn, written));
                    Answer::Rows(1)
                }
                None => Answer::Rows(0),
            },
        }
    }

    /// Inserts a receipt; `false` where its key is there already and must be unique.
    fn insert(&mut self, conn: Conn, key: Key, receipt: Receipt) -> bool {
        if self.unique && self.receipt(conn, key).is_some() {
            return false;
        }
        let staged = Staged {
            receipt,
            is_new: true,
        };
        self.receipts[usize::from(key)].staged[usize::from(conn)] = Some(staged);
        true
    }

    fn update(
        &mut self,
        conn: Conn,
        key: Key,
        is_meant: bool,
        change: impl FnOnce(&mut Receipt),
    ) -> Answer {
        let slot = &mut self.receipts[usize::from(key)];
        let own = slot.staged[usize::from(conn)];
        let seen = own.or(slot.committed.map(|receipt| Staged {
            receipt,
            is_new: false,
        }));
        let Some(mut written) = seen.filter(|_| is_meant) else {
            return Answer::Rows(0);
        };
        change(&mut written.receipt);
        slot.staged[usize::from(conn)] = Some(written);
        Answer::Rows(1)
    }

    fn can_be_taken(&self, conn: Conn, key: Key, wanted: u8) -> bool {
        let status = self.receipt(conn, key).map(|receipt| receipt.status);
        status
            == Some(Status::InProgress {
                token: wanted,
                lease_is_over: true,
            })
    }

    /// Whether there is a receipt, and it has this token, where one is wanted.
    fn has_token(&self, conn: Conn, key: Key, wanted: Option<u8>) -> bool {
        let receipt = self.receipt(conn, key);
        receipt.is_some_and(|receipt| match (wanted, receipt.status) {
            (None, _) => true,
            (Some(wanted), Status::InProgress { token, .. }) => token == wanted,
            (Some(_), Status::Done) => false,
        })
    }

    /// The receipt of a key as a connection sees it.
    pub fn receipt(&self, conn: Conn, key: Key) -> Option<Receipt> {
        let slot = &self.receipts[usize::from(key)];
        let own = slot.staged[usize::from(conn)].map(|staged| staged.receipt);
        own.or(slot.committed)
    }

    /// A row as a connection sees it.
    pub fn row(&self, conn: Conn, row: RowId) -> Row {
        let versions = self.rows[usize::from(row)];
        match versions.staged {
            Some((writer, own)) if writer == conn => own,
            _ => versions.committed,
        }
    }

    /// Whether the answer to a statement that has waited is there to be read.
    pub fn has_answer(&self, conn: Conn) -> bool {
        self.connection(conn).answer.is_some()
    }

    pub fn connection(&self, conn: Conn) -> &Connection {
        &self.connections[usize::from(conn)]
    }

    fn connection_mut(&mut self, conn: Conn) -> &mut Connection {
        &mut self.connections[usize::from(conn)]
    }

    /// Whether a connection waits in a circle, so that no end of a transaction can help it.
    pub fn is_deadlocked(&self, conn: Conn) -> bool {
        let mut at = conn;
        for _ in 0..CONNS_MAX {
            match self.connection(at).wait {
                Some(wait) if wait.holder == conn => return true,
                Some(wait) => at = wait.holder,
                None => return false,
            }
        }
        false
    }

    /// Ends the wait of a deadlock's victim with an error.
    pub fn choose_victim(&mut self, conn: Conn) -> Answer {
        self.fail(conn);
        Answer::Error(Error::Deadlock)
    }

    /// The client is gone, and with it what was not committed.
    pub fn disconnect(&mut self, conn: Conn) {
        self.end(conn, false);
    }

    /// A statement has failed. Its locks are free before anybody sends ROLLBACK.
    fn fail(&mut self, conn: Conn) {
        let was_open = self.connection(conn).transaction == Transaction::Open;
        self.end(conn, false);
        if was_open {
            self.connection_mut(conn).transaction = Transaction::Failed;
        }
    }

    /// Ends a transaction: what it wrote is committed or forgotten, and who waited can go on.
    fn end(&mut self, conn: Conn, commits: bool) {
        for slot in &mut self.receipts {
            if let Some(staged) = slot.staged[usize::from(conn)].take()
                && commits
            {
                match slot.committed {
                    Some(_) if staged.is_new => slot.has_twin = true,
                    _ => slot.committed = Some(staged.receipt),
                }
            }
        }
        for versions in &mut self.rows {
            if let Some((writer, written)) = versions.staged
                && writer == conn
            {
                versions.staged = None;
                if commits {
                    versions.committed = written;
                }
            }
        }
        self.connections[usize::from(conn)] = Connection::default();
        for other in 0..CONNS_MAX as Conn {
            let wait = self.connection(other).wait;
            if let Some(wait) = wait.filter(|wait| wait.holder == conn) {
                self.connection_mut(other).wait = None;
                self.resume(other, wait.statement);
            }
        }
    }
}
