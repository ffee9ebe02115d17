//! A run under a person's hands: a cursor to go back and forth, branches, settings to change.

mod kept;

use std::rc::Rc;

use super::history::History;
use super::{ACTIONS_MAX, Run, RunError};
use crate::lab::{AnyLab, AnyRun, Choice};
use crate::machine::{Label, Settings};

/// How many branches are kept; the oldest one that is not open goes first.
pub const BRANCHES_MAX: usize = 24;

/// How many of the protocol's own steps a repaired run is continued by.
const COMPLETED_MAX: usize = 200;

/// Shared between snapshots until one of them goes on.
type Script = Rc<Vec<Rc<str>>>;

pub struct Session {
    now: Snapshot,
    run: Box<dyn AnyRun>,
    history: History,
    revision: u64,
}

/// Everything that a session is, but for the states of its run: those are computed anew.
#[derive(Clone)]
pub struct Snapshot {
    lab: &'static dyn AnyLab,
    settings: Settings,
    /// The state that is shown: 0 is the initial one.
    cursor: usize,
    /// The actions that the person means to take. The run is as much of it as the settings allow;
    /// the rest comes back when the settings do.
    script: Script,
    /// Never empty; the script of the open one stands in `script`.
    branches: Vec<Kept>,
    open: usize,
    twin: Option<Twin>,
}

/// One line of action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Branch {
    /// A number that stays with the branch.
    pub id: usize,
    /// After how many actions it left the branch that it came from.
    pub forked_at: usize,
    /// How many actions it has.
    pub len: usize,
}

/// A branch with the actions that it means to take, while it is not open.
#[derive(Clone)]
struct Kept {
    branch: Branch,
    script: Script,
}

/// The run as it was before a fix, or with it: whichever is not shown.
#[derive(Clone)]
struct Twin {
    /// The branch that has it.
    id: usize,
    settings: Settings,
    script: Script,
    cursor: usize,
    is_repaired: bool,
}

/// Which of the two runs, with a fix and without it, is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    WithFix,
    WithoutFix,
}

/// Where the replay of a script had to stop, because the action is not possible there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stopped {
    /// How many actions were possible.
    pub at: usize,
    pub action: String,
    /// What the action was called where it was possible.
    pub label: Option<Label>,
}

impl Session {
    /// An empty run of a lab.
    pub fn new(lab: &'static dyn AnyLab, settings: Settings) -> Session {
        let root = Branch {
            id: 1,
            forked_at: 0,
            len: 0,
        };
        let run = lab.start(&settings);
        let now = Snapshot {
            lab,
            settings,
            cursor: 0,
            script: Script::default(),
            branches: vec![Kept {
                branch: root,
                script: Script::default(),
            }],
            open: 0,
            twin: None,
        };
        Session {
            now,
            run,
            history: History::default(),
            revision: 0,
        }
    }

    /// A run from a file or a link, at its cursor.
    ///
    /// # Errors
    ///
    /// If an action is not possible where it stands.
    pub fn open(run: Run) -> Result<Session, RunError> {
        let mut session = Session::new(run.lab, run.settings);
        session.now.script = Rc::new(
            run.actions
                .iter()
                .map(|name| name.as_str().into())
                .collect(),
        );
        if let Some(stopped) = session.replay() {
            return Err(RunError::NotPossible {
                index: stopped.at,
                action: stopped.action,
            });
        }
        session.now.cursor = run.at.unwrap_or(session.len()).min(session.len());
        Ok(session)
    }

    pub fn lab(&self) -> &'static dyn AnyLab {
        self.now.lab
    }

    pub fn settings(&self) -> &Settings {
        &self.now.settings
    }

    pub fn run(&self) -> &dyn AnyRun {
        &*self.run
    }

    pub fn len(&self) -> usize {
        self.run.len()
    }

    pub fn is_empty(&self) -> bool {
        self.run.is_empty()
    }

    pub fn cursor(&self) -> usize {
        self.now.cursor
    }

    /// Moves the cursor; past the end it stays at the end.
    pub fn seek(&mut self, to: usize) {
        self.now.cursor = to.min(self.len());
    }

    /// What is possible at the cursor.
    pub fn choices(&self) -> Vec<Choice> {
        self.run.choices(self.now.cursor)
    }

    /// Takes an action at the cursor. Where the run goes on differently, a new branch is opened and
    /// the old one kept. `false` if the action is not possible, or the run is as long as it may be.
    pub fn act(&mut self, name: &str) -> bool {
        self.recorded(|session| session.take(name))
    }

    fn take(&mut self, name: &str) -> bool {
        if self.now.cursor < self.len() && self.run.name(self.now.cursor) == name {
            self.now.cursor += 1;
            return true;
        }
        if self.now.cursor >= ACTIONS_MAX || !self.is_possible(name) {
            return false;
        }
        if self.now.cursor < self.now.script.len() {
            self.fork(self.now.cursor);
        }
        self.revision += 1;
        Rc::make_mut(&mut self.now.script).push(name.into());
        let acted = self.run.act(name);
        self.now.cursor = self.len();
        acted
    }

    /// Takes the step that comes next: the recorded one, at the end the protocol's own.
    pub fn forward(&mut self) -> bool {
        if self.now.cursor < self.len() {
            self.now.cursor += 1;
            return true;
        }
        let own = self.choices().into_iter().find(|c| c.fault.is_none());
        own.is_some_and(|choice| self.act(&choice.name))
    }

    /// All branches; the open one is [`open_branch`](Session::open_branch).
    pub fn branches(&self) -> Vec<Branch> {
        let mut branches: Vec<_> = self.now.branches.iter().map(|kept| kept.branch).collect();
        branches[self.now.open].len = self.len();
        branches
    }

    /// The place of the open branch among the branches.
    pub fn open_branch(&self) -> usize {
        self.now.open
    }

    /// Opens another branch, at its end.
    pub fn switch(&mut self, branch: usize) -> Option<Stopped> {
        if branch >= self.now.branches.len() || branch == self.now.open {
            return None;
        }
        self.recorded(|session| {
            session.revision += 1;
            session.close();
            session.now.open = branch;
            session.now.script = std::mem::take(&mut session.now.branches[branch].script);
            session.run.truncate(0);
            let stopped = session.replay();
            session.now.cursor = session.len();
            stopped
        })
    }

    /// Changes the settings and replays the run as far as it stays possible.
    pub fn set(&mut self, settings: Settings) -> Option<Stopped> {
        self.recorded(|session| session.start(settings))
    }

    fn start(&mut self, settings: Settings) -> Option<Stopped> {
        self.revision += 1;
        let before = std::mem::replace(&mut self.run, self.now.lab.start(&settings));
        self.now.settings = settings;
        let mut stopped = self.replay();
        if let Some(stopped) = &mut stopped {
            let row = before.diagram().rows().get(stopped.at);
            stopped.label = row.map(|row| row.label.clone());
        }
        self.now.cursor = self.now.cursor.min(self.len());
        stopped
    }

    /// Puts a fix into the settings and completes the run by the protocol's own steps. The run
    /// without the fix stays beside it: [`alternate`](Session::alternate) shows it.
    pub fn repair(&mut self, settings: Settings) {
        self.recorded(|session| {
            let without = session.twin_of_now(false);
            session.start(settings);
            let kept = session.len();
            session.now.script = Rc::new(session.now.script[..kept].to_vec());
            for _ in 0..COMPLETED_MAX {
                let own = session.run.choices(session.len());
                let own = own.into_iter().find(|choice| choice.fault.is_none());
                let Some(own) = own.filter(|_| session.len() < ACTIONS_MAX) else {
                    break;
                };
                Rc::make_mut(&mut session.now.script).push(own.name.as_str().into());
                session.run.act(&own.name);
            }
            session.now.cursor = without.cursor.min(session.len());
            session.now.twin = Some(without);
        });
    }

    /// Which of the two runs is shown, where the open branch has one with a fix and one without.
    pub fn shown(&self) -> Option<Shown> {
        let twin = self.now.twin.as_ref()?;
        (twin.id == self.open_id()).then_some(match twin.is_repaired {
            true => Shown::WithoutFix,
            false => Shown::WithFix,
        })
    }

    /// Shows the run without the fix instead of that with it, or the other way round, at the same
    /// step. Nothing is changed by it, so there is nothing to be taken back.
    pub fn alternate(&mut self) -> bool {
        let Some(shown) = self.shown() else {
            return false;
        };
        let here = self.twin_of_now(shown == Shown::WithFix);
        let Some(there) = self.now.twin.replace(here) else {
            return false;
        };
        let cursor = self.now.cursor;
        let was_at_end = cursor == self.len();
        self.now.script = there.script;
        self.start(there.settings);
        // The shorter run shows its end; from there the way back leads to where one was.
        let wanted = if was_at_end {
            there.cursor.max(cursor)
        } else {
            cursor
        };
        self.now.cursor = wanted.min(self.len());
        true
    }

    fn twin_of_now(&self, is_repaired: bool) -> Twin {
        Twin {
            id: self.open_id(),
            settings: self.now.settings.clone(),
            script: self.now.script.clone(),
            cursor: self.now.cursor,
            is_repaired,
        }
    }

    fn open_id(&self) -> usize {
        self.now.branches[self.now.open].branch.id
    }

    /// Opens a new branch without any action. `false` if the run is empty anyway.
    pub fn start_over(&mut self) -> bool {
        if self.now.script.is_empty() {
            return false;
        }
        self.recorded(|session| {
            session.revision += 1;
            session.fork(0);
            session.now.cursor = 0;
        });
        true
    }

    /// Shows another session in the place of this one, which can be taken back.
    pub fn replace(&mut self, other: Session) {
        let snapshot = other.now;
        self.recorded(|session| {
            session.now = snapshot;
            session.run = other.run;
            session.revision += 1;
        });
    }

    /// The session as it is now, to be come back to.
    pub fn snapshot(&self) -> Snapshot {
        self.now.clone()
    }

    /// A session that was kept as a snapshot.
    pub fn of(snapshot: Snapshot) -> Session {
        let mut session = Session::new(snapshot.lab, snapshot.settings.clone());
        session.show(snapshot);
        session
    }

    pub fn can_undo(&self) -> bool {
        self.history.can_undo()
    }

    pub fn can_redo(&self) -> bool {
        self.history.can_redo()
    }

    /// Takes the last change back; going through the run is none.
    pub fn undo(&mut self) -> bool {
        let before = self.history.undo(&self.now);
        before.map(|snapshot| self.show(snapshot)).is_some()
    }

    /// Makes a change again that was taken back.
    pub fn redo(&mut self) -> bool {
        let after = self.history.redo(&self.now);
        after.map(|snapshot| self.show(snapshot)).is_some()
    }

    fn show(&mut self, snapshot: Snapshot) {
        let cursor = snapshot.cursor;
        self.now = snapshot;
        self.start(self.now.settings.clone());
        self.now.cursor = cursor.min(self.len());
    }

    /// Does something, and keeps what was before if that has changed more than the cursor.
    fn recorded<T>(&mut self, change: impl FnOnce(&mut Session) -> T) -> T {
        let (before, revision) = (self.now.clone(), self.revision);
        let done = change(self);
        if self.revision != revision {
            self.history.record(before);
        }
        done
    }

    /// A number that is another one whenever the run or its settings may be; moving the cursor
    /// leaves it as it is.
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// Takes these actions after the first `at` ones, and shows the state after the first of them:
    /// the others are recorded, to be stepped through. Where the run goes on differently, that is a
    /// new branch. `false` if not all of them could be taken.
    pub fn put(&mut self, at: usize, actions: &[String]) -> bool {
        let at = at.min(self.len());
        self.recorded(|session| {
            session.seek(at);
            let taken = actions.iter().all(|action| session.take(action));
            session.seek(at + 1);
            taken
        })
    }

    /// What is written to a file or a link.
    pub fn save(&self) -> Run {
        Run {
            lab: self.now.lab,
            settings: self.now.settings.clone(),
            actions: (0..self.len()).map(|step| self.run.name(step)).collect(),
            at: (self.now.cursor < self.len()).then_some(self.now.cursor),
        }
    }

    fn is_possible(&self, name: &str) -> bool {
        self.choices().iter().any(|choice| choice.name == name)
    }

    fn replay(&mut self) -> Option<Stopped> {
        for (at, action) in self.now.script.iter().enumerate() {
            if !self.run.act(action) {
                return Some(Stopped {
                    at,
                    action: action.to_string(),
                    label: None,
                });
            }
        }
        None
    }

    /// Keeps the open branch as it is and opens a new one that shares its first `at` actions.
    fn fork(&mut self, at: usize) {
        let kept = Rc::new(self.now.script[..at].to_vec());
        self.close();
        let newest = self.now.branches.iter().map(|kept| kept.branch.id).max();
        self.now.branches.push(Kept {
            branch: Branch {
                id: newest.map_or(1, |id| id + 1),
                forked_at: at,
                len: 0,
            },
            script: Script::default(),
        });
        if self.now.branches.len() > BRANCHES_MAX {
            self.now.branches.remove(0);
        }
        self.now.open = self.now.branches.len() - 1;
        self.now.script = kept;
        self.run.truncate(at);
    }

    /// Puts the script of the open branch back into its place.
    fn close(&mut self) {
        let len = self.len();
        let kept = &mut self.now.branches[self.now.open];
        kept.branch.len = len;
        kept.script = std::mem::take(&mut self.now.script);
    }
}
