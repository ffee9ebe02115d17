//! A run under a person's hands: a cursor to go back and forth, branches, settings to change.

use super::{ACTIONS_MAX, Run, RunError};
use crate::lab::{AnyLab, AnyRun, Choice};
use crate::machine::Settings;

/// How many branches are kept; the oldest one that is not open goes first.
pub const BRANCHES_MAX: usize = 24;

pub struct Session {
    lab: &'static dyn AnyLab,
    settings: Settings,
    run: Box<dyn AnyRun>,
    /// The state that is shown: 0 is the initial one.
    cursor: usize,
    /// The actions that the person means to take. The run is as much of it as the settings allow;
    /// the rest comes back when the settings do.
    script: Vec<String>,
    /// Never empty; the script of the open one stands in `script`.
    branches: Vec<Kept>,
    open: usize,
    revision: u64,
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
struct Kept {
    branch: Branch,
    script: Vec<String>,
}

/// Where the replay of a script had to stop, because the action is not possible there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stopped {
    /// How many actions were possible.
    pub at: usize,
    pub action: String,
}

impl Session {
    /// An empty run of a lab.
    pub fn new(lab: &'static dyn AnyLab, settings: Settings) -> Session {
        let root = Branch {
            id: 1,
            forked_at: 0,
            len: 0,
        };
        Session {
            lab,
            run: lab.start(&settings),
            settings,
            cursor: 0,
            script: Vec::new(),
            branches: vec![Kept {
                branch: root,
                script: Vec::new(),
            }],
            open: 0,
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
        session.script = run.actions;
        if let Some(stopped) = session.replay() {
            return Err(RunError::NotPossible {
                index: stopped.at,
                action: stopped.action,
            });
        }
        session.cursor = run.at.unwrap_or(session.len()).min(session.len());
        Ok(session)
    }

    pub fn lab(&self) -> &'static dyn AnyLab {
        self.lab
    }

    pub fn settings(&self) -> &Settings {
        &self.settings
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
        self.cursor
    }

    /// Moves the cursor; past the end it stays at the end.
    pub fn seek(&mut self, to: usize) {
        self.cursor = to.min(self.len());
    }

    /// What is possible at the cursor.
    pub fn choices(&self) -> Vec<Choice> {
        self.run.choices(self.cursor)
    }

    /// Takes an action at the cursor. Where the run goes on differently, a new branch is opened and
    /// the old one kept. `false` if the action is not possible, or the run is as long as it may be.
    pub fn act(&mut self, name: &str) -> bool {
        if self.cursor < self.len() && self.run.name(self.cursor) == name {
            self.cursor += 1;
            return true;
        }
        if self.cursor >= ACTIONS_MAX || !self.is_possible(name) {
            return false;
        }
        if self.cursor < self.script.len() {
            self.fork();
        }
        self.revision += 1;
        self.script.push(name.to_owned());
        let acted = self.run.act(name);
        self.cursor = self.len();
        acted
    }

    /// Takes the step that comes next: the recorded one, at the end the protocol's own.
    pub fn forward(&mut self) -> bool {
        if self.cursor < self.len() {
            self.cursor += 1;
            return true;
        }
        let own = self.choices().into_iter().find(|c| c.fault.is_none());
        own.is_some_and(|choice| self.act(&choice.name))
    }

    /// All branches; the open one is [`open_branch`](Session::open_branch).
    pub fn branches(&self) -> Vec<Branch> {
        let mut branches: Vec<_> = self.branches.iter().map(|kept| kept.branch).collect();
        branches[self.open].len = self.len();
        branches
    }

    /// The place of the open branch among the branches.
    pub fn open_branch(&self) -> usize {
        self.open
    }

    /// Opens another branch, at its end.
    pub fn switch(&mut self, branch: usize) -> Option<Stopped> {
        if branch >= self.branches.len() || branch == self.open {
            return None;
        }
        self.revision += 1;
        self.close();
        self.open = branch;
        self.script = std::mem::take(&mut self.branches[branch].script);
        self.run.truncate(0);
        let stopped = self.replay();
        self.cursor = self.len();
        stopped
    }

    /// Changes the settings and replays the run as far as it stays possible.
    pub fn set(&mut self, settings: Settings) -> Option<Stopped> {
        self.revision += 1;
        self.settings = settings;
        self.run = self.lab.start(&self.settings);
        let stopped = self.replay();
        self.cursor = self.cursor.min(self.len());
        stopped
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
        self.seek(at);
        let at = self.cursor;
        let taken = actions.iter().all(|action| self.act(action));
        self.seek(at + 1);
        taken
    }

    /// What is written to a file or a link.
    pub fn save(&self) -> Run {
        Run {
            lab: self.lab,
            settings: self.settings.clone(),
            actions: (0..self.len()).map(|step| self.run.name(step)).collect(),
            at: (self.cursor < self.len()).then_some(self.cursor),
        }
    }

    fn is_possible(&self, name: &str) -> bool {
        self.choices().iter().any(|choice| choice.name == name)
    }

    fn replay(&mut self) -> Option<Stopped> {
        for (at, action) in self.script.iter().enumerate() {
            if !self.run.act(action) {
                let action = action.clone();
                return Some(Stopped { at, action });
            }
        }
        None
    }

    /// Keeps the open branch as it is and opens a new one that shares the actions up to the cursor.
    fn fork(&mut self) {
        let kept = self.script[..self.cursor].to_vec();
        self.close();
        let newest = self.branches.iter().map(|kept| kept.branch.id).max();
        self.branches.push(Kept {
            branch: Branch {
                id: newest.map_or(1, |id| id + 1),
                forked_at: self.cursor,
                len: 0,
            },
            script: Vec::new(),
        });
        if self.branches.len() > BRANCHES_MAX {
            self.branches.remove(0);
        }
        self.open = self.branches.len() - 1;
        self.script = kept;
        self.run.truncate(self.cursor);
    }

    /// Puts the script of the open branch back into its place.
    fn close(&mut self) {
        let len = self.len();
        let kept = &mut self.branches[self.open];
        kept.branch.len = len;
        kept.script = std::mem::take(&mut self.script);
    }
}
