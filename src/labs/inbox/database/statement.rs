//! What a client can ask the database, and what it is answered.

use super::{Applied, EventId, Key, Receipt, Row, RowId, TIMES_MAX, VERSION_MAX};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Statement {
    Begin,
    /// SELECT … WHERE key = …
    FindReceipt(Key),
    /// INSERT
    Insert(Key, Receipt),
    /// INSERT … ON CONFLICT DO NOTHING
    InsertOrNothing(Key, Receipt),
    /// WITH … INSERT … ON CONFLICT DO NOTHING RETURNING … UNION ALL SELECT …: both in one statement.
    InsertOrFind(Key, Receipt),
    /// UPDATE … SET token = token + 1 WHERE token = … AND its lease is over
    TakeOver(Key, u8),
    /// UPDATE … SET done, result = … WHERE key = … AND token = …, where a token is given.
    Complete {
        key: Key,
        result: Applied,
        token: Option<u8>,
    },
    FindRow(RowId),
    Change(RowId, Change),
    Commit,
    Rollback,
}

/// What an UPDATE does to a business row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Change {
    /// SET points = points + …
    Add(EventId),
    /// SET points = (what the client computed from what it had read)
    Set(Row),
    /// The same, WHERE version = (the version that it had read)
    SetVersioned(Row),
    /// SET state = …
    Target(EventId, u8),
    /// SET state = … WHERE state < …
    Newest(EventId, u8),
    /// SET held = held + 1 WHERE posted >= 1
    ReserveOfPosted(EventId),
    /// SET held = held + 1 WHERE posted - held >= 1
    ReserveOfAvailable(EventId),
    /// Something that a CHECK constraint forbids.
    Forbidden,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Answer {
    Done,
    /// How many rows were written.
    Rows(u8),
    Receipt(Option<Receipt>),
    Row(Row),
    /// COMMIT of a failed transaction: no error, and nothing is committed.
    RolledBack,
    Error(Error),
    /// The statement waits; its answer is read later.
    Blocked,
}

/// By SQLSTATE.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Error {
    /// 23505
    UniqueViolation,
    /// 23514
    CheckViolation,
    /// 25P02
    InFailedTransaction,
    /// 40P01
    Deadlock,
}

/// What an UPDATE makes of a row; `None` where its condition does not hold.
pub(super) fn changed(row: Row, change: Change) -> Option<Row> {
    let contain = |event: EventId| {
        let mut contained = row.contained;
        let times = &mut contained[usize::from(event)];
        *times = (*times + 1).min(TIMES_MAX);
        Row { contained, ..row }
    };
    let held: u8 = row.contained.iter().sum();
    let written = match change {
        Change::Add(event) | Change::ReserveOfPosted(event) => contain(event),
        Change::ReserveOfAvailable(event) => (held < 1).then(|| contain(event))?,
        Change::Set(value) => value,
        Change::SetVersioned(value) => (row.version == value.version).then_some(value)?,
        Change::Target(event, state) => Row {
            state,
            ..contain(event)
        },
        Change::Newest(event, state) => (row.state < state).then(|| Row {
            state,
            ..contain(event)
        })?,
        Change::Forbidden => row,
    };
    Some(Row {
        version: (row.version + 1).min(VERSION_MAX),
        ..written
    })
}
