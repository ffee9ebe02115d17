//! The failure-window map of the run that is shown: made in slices, and anew when the run or its
//! settings change.

use std::sync::Arc;

use leptos::prelude::*;

use super::page::Changed;
use super::slices::{PORTION, Slices, Work};
use crate::lab::{AnyMap, Cell, WindowMap};
use crate::machine::{Fault, Harm};
use crate::run::Session;

/// Of longer runs there is no map.
pub const MAP_STEPS_MAX: usize = 400;
/// A map that needs more is given up: a browser has less memory than the explorer would take.
const MAP_STATES_MAX: usize = 500_000;
pub const FAULTS_MAX: [u8; 2] = [1, 2];

/// A failure window: a gap of the run, and the kind of fault put there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    pub gap: usize,
    pub fault: Fault,
}

/// How far the map has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// It is that of the run.
    Ready,
    /// So many states were looked at. The map before stays until then.
    Working(usize),
    /// It was given up after so many states.
    Stopped(usize),
    TooLong,
}

/// A fault that was put from the map into the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Put {
    changed: Changed,
    pub place: Place,
    pub steps: usize,
    pub harm: Harm,
}

type Columns = (u32, Arc<[Fault]>);

#[derive(Clone, Copy)]
pub struct Windows {
    pub map: RwSignal<Option<Arc<WindowMap>>>,
    pub progress: RwSignal<Progress>,
    /// After how many states a map with more faults was given up.
    pub given_up: RwSignal<Option<usize>>,
    /// How many faults beside the run's own.
    pub faults_max: RwSignal<u8>,
    /// Where the keyboard is in the map, whether or not it has the focus.
    pub active: RwSignal<Option<Place>>,
    pub focused: RwSignal<bool>,
    pub pointed: RwSignal<Option<Place>>,
    /// The sentence of the mark of the diagram that is pointed at.
    pub told: RwSignal<Option<String>>,
    put: RwSignal<Option<Put>>,
    /// Whether there is room for one column only: then it has the worst of each gap.
    pub folded: RwSignal<bool>,
    columns: Memo<Columns>,
    session: RwSignal<Session, LocalStorage>,
    changed: Memo<Changed>,
    slices: Slices,
}

impl Windows {
    pub fn new(session: RwSignal<Session, LocalStorage>, changed: Memo<Changed>) -> Windows {
        let windows = Windows {
            map: RwSignal::new(None),
            progress: RwSignal::new(Progress::Working(0)),
            given_up: RwSignal::new(None),
            faults_max: RwSignal::new(FAULTS_MAX[0]),
            active: RwSignal::new(None),
            focused: RwSignal::new(false),
            pointed: RwSignal::new(None),
            told: RwSignal::new(None),
            put: RwSignal::new(None),
            folded: RwSignal::new(false),
            columns: Memo::new(move |before: Option<&Columns>| {
                let opened = changed.get().opened;
                let before = before.filter(|(before, _)| *before == opened);
                let before = before.map_or(&[][..], |(_, faults)| faults);
                (opened, session.with_untracked(|s| columns(s, before)))
            }),
            session,
            changed,
            slices: Slices::new(),
        };
        Effect::new(move |before: Option<Changed>| {
            let (changed, faults_max) = (changed.get(), windows.faults_max.get());
            if before != Some(changed) {
                windows.given_up.set(None);
                windows.pointed.set(None);
                windows.told.set(None);
            }
            if before.is_none_or(|before| before.opened != changed.opened) {
                windows.map.set(None);
                windows.active.set(None);
            }
            windows.start(faults_max);
            changed
        });
        windows
    }

    fn start(self, faults_max: u8) {
        let search = self.session.with_untracked(|session| {
            (session.len() <= MAP_STEPS_MAX).then(|| session.run().map(faults_max))
        });
        let Some(search) = search else {
            self.slices.stop();
            self.map.set(None);
            self.progress.set(Progress::TooLong);
            return;
        };
        self.slices.start(Making {
            windows: self,
            search,
        });
    }

    /// Gives up the map that is made; of two faults, there is still the one of one fault.
    pub fn stop(self) {
        let Progress::Working(states) = self.progress.get_untracked() else {
            return;
        };
        self.slices.stop();
        self.give_up(states);
    }

    fn give_up(self, states: usize) {
        match self.faults_max.get_untracked() == FAULTS_MAX[0] {
            true => {
                self.map.set(None);
                self.progress.set(Progress::Stopped(states));
            }
            false => {
                self.given_up.set(Some(states));
                self.faults_max.set(FAULTS_MAX[0]);
            }
        }
    }

    pub fn choose(self, faults_max: u8) {
        self.given_up.set(None);
        self.faults_max.set(faults_max);
    }

    /// The kinds of faults that have a column: those that are possible somewhere in the run, and
    /// those that were before, so that the lanes keep their places while a person tries things.
    pub fn columns(self) -> Arc<[Fault]> {
        self.columns.get().1
    }

    /// In which of the drawn columns the cells of a fault stand.
    pub fn column(self, fault: Fault) -> Option<usize> {
        match self.folded.get() {
            true => Some(0),
            false => self.columns().iter().position(|other| *other == fault),
        }
    }

    pub fn is_ready(self) -> bool {
        self.progress.get() == Progress::Ready
    }

    /// The worst of the whole map; `None` while there is none.
    pub fn worst(self) -> Option<Harm> {
        let worst = |map: &Arc<WindowMap>| map.cells.iter().map(|cell| cell.harm).max();
        self.map.with(|map| map.as_ref().and_then(worst))
    }

    /// After how many steps harm can no longer be avoided.
    pub fn no_return(self) -> Option<usize> {
        self.map
            .with(|map| map.as_ref().and_then(|map| map.no_return))
    }

    pub fn cell(self, place: Place) -> Option<Cell> {
        let is_it = |cell: &&Cell| (cell.gap, cell.fault) == (place.gap, place.fault);
        self.map
            .with(|map| map.as_ref()?.cells.iter().find(is_it).cloned())
    }

    /// The window that is looked at: under the pointer, else where the keyboard is.
    pub fn target(self) -> Option<Cell> {
        let active = || self.active.get().filter(|_| self.focused.get());
        self.pointed
            .get()
            .or_else(active)
            .and_then(|place| self.cell(place))
    }

    pub fn remember_put(self, cell: &Cell) {
        self.put.set(Some(Put {
            changed: self.changed.get_untracked(),
            place: place(cell),
            steps: cell.run.len(),
            harm: cell.harm,
        }));
    }

    /// The fault that was put from the map, while the run is the one that came of it.
    pub fn put(self) -> Option<Put> {
        self.put
            .get()
            .filter(|put| put.changed == self.changed.get())
    }

    /// Moves through the windows, or to the first one from a gap on.
    pub fn go(self, to: Move) {
        let columns = untrack(|| self.columns());
        let column = |fault: Fault| columns.iter().position(|other| *other == fault);
        let active = self.active.get_untracked();
        let next = self.map.with_untracked(|map| {
            let mut cells = shown(map.as_ref()?, self.folded.get_untracked());
            cells.sort_by_key(|cell| (cell.gap, column(cell.fault)));
            let from = |gap: usize| cells.iter().find(|cell| cell.gap >= gap).or(cells.last());
            let at = match (to, active) {
                (Move::To(gap), _) => return from(gap).copied().map(place),
                (_, None) => return from(0).copied().map(place),
                (_, Some(active)) => active,
            };
            let in_row = |cell: &&&Cell| cell.gap == at.gap;
            let in_column = |cell: &&&Cell| cell.fault == at.fault;
            let is_right = |cell: &&&Cell| column(cell.fault) > column(at.fault);
            let is_left = |cell: &&&Cell| column(cell.fault) < column(at.fault);
            let mut up = cells.iter().rev().filter(|cell| cell.gap < at.gap);
            let mut down = cells.iter().filter(|cell| cell.gap > at.gap);
            let cell = match to {
                Move::Left => cells.iter().rev().filter(in_row).find(is_left),
                Move::Right => cells.iter().filter(in_row).find(is_right),
                Move::First => cells.iter().find(in_row),
                Move::Last => cells.iter().rev().find(in_row),
                Move::Up => up.clone().find(in_column).or(up.next()),
                Move::Down => down.clone().find(in_column).or(down.next()),
                Move::To(_) => None,
            };
            cell.copied().map(place)
        });
        if next.is_some() {
            self.active.set(next);
        }
    }
}

/// The cells that are drawn: all, or of each gap the first of those that are worst.
pub fn shown(map: &WindowMap, folded: bool) -> Vec<&Cell> {
    if !folded {
        return map.cells.iter().collect();
    }
    let gaps = map.cells.chunk_by(|a, b| a.gap == b.gap);
    gaps.filter_map(|gap| gap.iter().rev().max_by_key(|cell| cell.harm))
        .collect()
}

pub fn place(cell: &Cell) -> Place {
    Place {
        gap: cell.gap,
        fault: cell.fault,
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Move {
    Left,
    Right,
    Up,
    Down,
    /// In its row.
    First,
    Last,
    /// To the first window from this gap on.
    To(usize),
}

fn columns(session: &Session, before: &[Fault]) -> Arc<[Fault]> {
    let mut seen = before.to_vec();
    for at in 0..=session.len().min(MAP_STEPS_MAX) {
        for fault in session.run().faults(at) {
            if !seen.contains(&fault) {
                seen.push(fault);
            }
        }
    }
    let offered = session.lab().faults().iter().copied();
    offered.filter(|fault| seen.contains(fault)).collect()
}

/// A map in the making.
struct Making {
    windows: Windows,
    search: Box<dyn AnyMap>,
}

impl Work for Making {
    fn advance(&mut self) -> bool {
        self.search.advance(PORTION) || self.search.states() > MAP_STATES_MAX
    }

    fn report(&mut self, done: bool) {
        let states = self.search.states();
        if !done {
            self.windows.progress.set(Progress::Working(states));
        } else if self.search.advance(0) {
            self.windows.map.set(Some(Arc::new(self.search.read())));
            self.windows.progress.set(Progress::Ready);
        } else {
            self.windows.give_up(states);
        }
    }
}
