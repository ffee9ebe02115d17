//! The inbox lab's database against a real PostgreSQL server: every interleaving of two consumers,
//! statement by statement. What each statement answers, whether it waits, and what the tables hold
//! in the end must be the same.
//!
//! Where no server is installed the test says so, and passes.

#[path = "postgres/server.rs"]
mod server;
#[path = "postgres/session.rs"]
mod session;

use std::io::Write;

use effectively_once::lab::Lab;
use effectively_once::labs::inbox::database::{
    Answer, CONNS_MAX, Conn, Error, KEYS_MAX, ROWS_MAX, Receipt, Row, Statement, Transaction,
};
use effectively_once::labs::inbox::{Action, Inbox, State};
use effectively_once::machine::{Machine, Settings};
use postgres::{Client, SimpleQueryMessage};
use serde_json::{Value as Json, json};
use server::Server;
use session::{Session, account, receipt, sql};

/// A design, and how the two consumers come to be at work.
struct Case {
    preset: &'static str,
    changes: Json,
    run: &'static [&'static str],
}

/// Both consumers hold a copy of the same event.
const SAME: &[&str] = &["send-again", "deliver 1 a", "deliver 2 b"];
/// Each holds an event of its own.
const TWO: &[&str] = &["deliver 1 a", "deliver 3 b"];
/// The first consumer has registered the event, and its lease is over before the second comes.
const LEASE: &[&str] = &[
    "send-again",
    "deliver 1 a",
    "step a",
    "lease-ends 1",
    "deliver 2 b",
];

fn cases() -> Vec<Case> {
    let case = |preset, changes, run| Case {
        preset,
        changes,
        run,
    };
    let same = |preset| case(preset, json!({}), SAME);
    let two = |preset| case(preset, json!({}), TWO);
    let lease = |preset| case(preset, json!({}), LEASE);
    vec![
        same("correct"),
        same("unique_key"),
        same("look_first"),
        same("check_then_act"),
        same("one_statement"),
        same("no_row_fresh"),
        same("autocommit"),
        same("receipt_apart_first"),
        same("receipt_apart_last"),
        same("other_database"),
        same("rollback_only"),
        same("same_transaction"),
        case("unique_key", json!({ "exceptions": "swallowed" }), SAME),
        same("swallowed"),
        same("every_violation"),
        case("correct", json!({ "change": "set_versioned" }), SAME),
        case("no_receipt", json!({ "change": "set" }), SAME),
        case("ack_first", json!({ "receipt": "unique_key" }), SAME),
        two("same_content"),
        two("set_versioned"),
        two("set_unversioned"),
        two("newest"),
        two("older_overwrites"),
        two("reserve_of_available"),
        two("reserve_of_posted"),
        two("crossed"),
        two("deadlock"),
        two("deadlock_swallowed"),
        two("content_as_key"),
        same("lease_fenced"),
        lease("lease_fenced"),
        lease("lease_unfenced"),
        same("no_lease"),
        same("other_thread"),
    ]
}

/// Receipts by key, with how many there are; and the rows.
type Tables = (Vec<Option<(Receipt, bool)>>, Vec<Row>);

fn model_tables(state: &State) -> Tables {
    let receipts = state.database.receipts.iter();
    let receipts = receipts.map(|kept| kept.committed.map(|receipt| (receipt, kept.has_twin)));
    let rows = state.database.rows.iter().map(|row| row.committed);
    (receipts.collect(), rows.collect())
}

struct Bench {
    sessions: Vec<Session>,
    monitor: Client,
}

impl Bench {
    fn new(server: &Server) -> Bench {
        let mut monitor = server.connect();
        let receipts = "id serial PRIMARY KEY, key int NOT NULL, token int NOT NULL, \
                        lease_over boolean NOT NULL, digest int NOT NULL, version int NOT NULL, \
                        result int NOT NULL";
        let tables = format!(
            "CREATE TABLE receipts ({receipts}, UNIQUE (key));
             CREATE TABLE receipts_free ({receipts});
             CREATE TABLE accounts (id int PRIMARY KEY, e0 int NOT NULL, e1 int NOT NULL,
               e2 int NOT NULL, state int NOT NULL CHECK (state >= 0), version int NOT NULL,
               posted int NOT NULL);"
        );
        monitor.batch_execute(&tables).expect("the tables");
        Bench {
            sessions: (0..CONNS_MAX).map(|_| Session::open(server)).collect(),
            monitor,
        }
    }

    fn clear(&mut self) {
        let rows: Vec<String> = (0..ROWS_MAX)
            .map(|row| format!("({row}, 0, 0, 0, 0, 0, 1)"))
            .collect();
        let rows = rows.join(", ");
        let clear = format!(
            "DELETE FROM receipts; DELETE FROM receipts_free; DELETE FROM accounts;
             INSERT INTO accounts VALUES {rows};"
        );
        self.monitor.batch_execute(&clear).expect("empty tables");
    }

    fn rows_of(&mut self, query: &str) -> Vec<postgres::SimpleQueryRow> {
        let said = self.monitor.simple_query(query).expect("the tables");
        let rows = said.into_iter().filter_map(|message| match message {
            SimpleQueryMessage::Row(row) => Some(row),
            _ => None,
        });
        rows.collect()
    }

    fn tables(&mut self, unique: bool) -> Tables {
        let table = if unique { "receipts" } else { "receipts_free" };
        let mut receipts = Vec::new();
        for key in 0..KEYS_MAX {
            let query = format!(
                "SELECT token, lease_over, digest, version, result FROM {table} \
                 WHERE key = {key} ORDER BY id"
            );
            let rows = self.rows_of(&query);
            receipts.push(rows.first().map(|row| (receipt(row), rows.len() > 1)));
        }
        let query = "SELECT e0, e1, e2, state, version FROM accounts ORDER BY id";
        let rows = self.rows_of(query);
        (receipts, rows.iter().map(account).collect())
    }

    /// Runs the schedule on the server. `false` where the server has chosen another victim of a
    /// deadlock than this schedule has: the schedule with that victim is tried as well.
    fn try_schedule(&mut self, lab: &Inbox, schedule: &[Action], name: &str) -> bool {
        self.clear();
        let mut state = lab.initial();
        let unique = state.database.unique;
        let mut waiting = [false; CONNS_MAX];
        for action in schedule {
            let place = || format!("{name}: {}", names(lab, schedule).join(", "));
            let before = state;
            lab.step(&mut state, *action, &mut ());
            let mut sender = None;
            if let Some((conn, statement)) = lab.sends(&before, *action) {
                let expected = before.database.clone().execute(conn, statement);
                if state.database.is_deadlocked(conn) {
                    // The server may end it before anybody has asked whether it waits.
                    self.sessions[usize::from(conn)].send(statement, sql(statement, unique));
                    waiting[usize::from(conn)] = true;
                    continue;
                }
                let found = self.answer(conn, statement, unique, &mut waiting);
                assert_eq!(found, committed(expected), "{} at {statement:?}", place());
                sender = Some(conn);
            } else if let Action::Victim(_) = action {
                let conn = self.victim(&before, &mut waiting, &place());
                // The other one of the two goes on in its transaction.
                if state.transaction(conn) == Transaction::Open {
                    self.abandon(&mut waiting);
                    return false;
                }
                sender = Some(conn);
            } else if let Action::LeaseEnds(key) = action {
                let ended = format!("UPDATE receipts SET lease_over = true WHERE key = {key}");
                self.monitor.batch_execute(&ended).expect("an update");
            }
            self.follow(&before, &state, sender, unique);
            self.let_waiters_go_on(&state, &waiting);
        }
        assert_eq!(
            self.tables(unique),
            model_tables(&state),
            "{name} in the end"
        );
        true
    }

    /// Sends a statement, or reads the answer of one that has waited.
    fn answer(
        &mut self,
        conn: Conn,
        statement: Statement,
        unique: bool,
        waiting: &mut [bool; CONNS_MAX],
    ) -> Answer {
        let session = &mut self.sessions[usize::from(conn)];
        let waits = &mut waiting[usize::from(conn)];
        if *waits {
            *waits = false;
            return session.wait();
        }
        session.send(statement, sql(statement, unique));
        let answer = session.answer(&mut self.monitor);
        *waits = answer == Answer::Blocked;
        answer
    }

    /// Waits until the server has chosen the victim of a deadlock.
    fn victim(&mut self, state: &State, waiting: &mut [bool; CONNS_MAX], place: &str) -> Conn {
        let is_in_circle = |conn: &Conn| state.database.is_deadlocked(*conn);
        let circle: Vec<Conn> = (0..CONNS_MAX as Conn).filter(is_in_circle).collect();
        for _ in 0..2_000 {
            for conn in &circle {
                let session = &mut self.sessions[usize::from(*conn)];
                if session.peek() == Some(Answer::Error(Error::Deadlock)) {
                    session.wait();
                    waiting[usize::from(*conn)] = false;
                    return *conn;
                }
            }
        }
        panic!("{place}: the server has not ended a deadlock");
    }

    /// What the consumer does beside its statement: a second database that begins as well, and a
    /// connection that goes back to its pool with a transaction open.
    fn follow(&mut self, before: &State, after: &State, sender: Option<Conn>, unique: bool) {
        for conn in 0..CONNS_MAX as Conn {
            let is_open = |state: &State| state.transaction(conn) != Transaction::None;
            if Some(conn) == sender || is_open(before) == is_open(after) {
                continue;
            }
            let statement = match is_open(after) {
                true => Statement::Begin,
                false => Statement::Rollback,
            };
            let session = &mut self.sessions[usize::from(conn)];
            session.send(statement, sql(statement, unique));
            assert_eq!(session.wait(), Answer::Done);
        }
    }

    /// A waiter goes on a moment after the lock is free. Here nobody is allowed to be quicker.
    fn let_waiters_go_on(&mut self, state: &State, waiting: &[bool; CONNS_MAX]) {
        for (conn, session) in (0..).zip(&mut self.sessions) {
            let goes_on = waiting[usize::from(conn)] && state.database.has_answer(conn);
            while goes_on && session.peek().is_none() {}
        }
    }

    /// Ends whatever is open.
    fn abandon(&mut self, waiting: &mut [bool; CONNS_MAX]) {
        for _ in 0..2 {
            for (session, waits) in self.sessions.iter_mut().zip(waiting.iter_mut()) {
                if *waits {
                    continue;
                }
                session.send(Statement::Rollback, "ROLLBACK".into());
                session.wait();
            }
            for (session, waits) in self.sessions.iter_mut().zip(waiting.iter_mut()) {
                if *waits {
                    session.wait();
                    *waits = false;
                }
            }
        }
    }
}

/// What the server can say of it.
fn committed(answer: Answer) -> Answer {
    match answer {
        Answer::RolledBack => Answer::Done,
        answer => answer,
    }
}

fn names(lab: &Inbox, schedule: &[Action]) -> Vec<String> {
    schedule.iter().map(|action| lab.name(*action)).collect()
}

/// Every order in which the two consumers' statements can come. A step that sends none touches
/// nothing that the other could see, and is taken at once.
fn interleavings(
    lab: &Inbox,
    state: &State,
    schedule: &mut Vec<Action>,
    found: &mut Vec<Vec<Action>>,
) {
    let mut actions = Vec::new();
    lab.protocol_steps(state, &mut actions);
    actions.retain(|action| {
        matches!(
            action,
            Action::Step(_) | Action::Thread(_) | Action::Victim(_)
        )
    });
    let is_silent = |action: &&Action| {
        matches!(action, Action::Step(_)) && lab.sends(state, **action).is_none()
    };
    if let Some(silent) = actions.iter().find(is_silent).copied() {
        actions = vec![silent];
    }
    if actions.is_empty() {
        found.push(schedule.clone());
    }
    for action in actions {
        let mut next = *state;
        lab.step(&mut next, action, &mut ());
        schedule.push(action);
        interleavings(lab, &next, schedule, found);
        schedule.pop();
    }
}

fn settings(case: &Case) -> Settings {
    let presets = Inbox::presets();
    let preset = presets.iter().find(|preset| preset.id == case.preset);
    let preset = preset.unwrap_or_else(|| panic!("no preset {}", case.preset));
    preset
        .settings
        .read(&case.changes)
        .expect("settings of the schema")
}

/// At least so many, or the comparison has lost its object.
const SCHEDULES_MIN: usize = 4000;

#[test]
fn every_interleaving_of_two_consumers_is_as_on_a_real_server() {
    // Not by a macro, whose words nobody would see of a test that passes.
    let say = |words: String| writeln!(std::io::stderr(), "postgres: {words}").ok();
    let server = match Server::start() {
        Ok(server) => server,
        Err(why) => {
            say(format!("skipped. {why}"));
            return;
        }
    };
    let mut bench = Bench::new(&server);
    let mut compared = 0;
    for case in cases() {
        let lab = Inbox::new(&settings(&case));
        let mut state = lab.initial();
        let mut prelude = Vec::new();
        for name in case.run {
            let mut actions = Vec::new();
            lab.actions(&state, &mut actions);
            let action = actions
                .into_iter()
                .find(|action| lab.name(*action) == *name);
            let action =
                action.unwrap_or_else(|| panic!("{}: {name} is not possible", case.preset));
            lab.step(&mut state, action, &mut ());
            prelude.push(action);
        }
        let mut schedules = Vec::new();
        interleavings(&lab, &state, &mut prelude, &mut schedules);
        let tried = schedules
            .iter()
            .filter(|schedule| bench.try_schedule(&lab, schedule, case.preset))
            .count();
        assert!(tried > 0, "{}", case.preset);
        say(format!(
            "{} {}: {tried} of {}",
            case.preset,
            case.changes,
            schedules.len()
        ));
        compared += tried;
    }
    say(format!("{compared} interleavings are as on the server"));
    assert!(compared >= SCHEDULES_MIN, "{compared} interleavings");
}
