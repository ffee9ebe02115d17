//! The space-time diagram of a distributed machine: messages that stay in flight over many rows,
//! are copied and lost, and processes that crash one by one.

use effectively_once::lab::Timeline;
use effectively_once::lab::{AnyRun, Figure, Lab, Law, Picture};
use effectively_once::lab::{Diagram, End, Item};
use effectively_once::machine::{
    Belief, Durability, Effect, Fault, Label, Lane, LaneId, Machine, Mark, Observer, Outcome,
    Preset, Progress, Setting, Settings, Text, Verdict,
};

const WORD: Text = Text {
    key: "toy.word",
    arity: 0,
};
const MESSAGES: usize = 3;
const SENDER: LaneId = 0;
const RECEIVER: LaneId = 1;

/// A sender, a receiver, and up to three messages between them.
struct Courier;

#[derive(Clone, PartialEq, Eq, Hash)]
struct State {
    sent: u8,
    /// How many copies of each message are under way.
    under_way: [u8; MESSAGES],
    received: u8,
    down: [bool; 2],
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Action {
    Send,
    Arrive(u8),
    Restart(LaneId),
    Copy(u8),
    Lose(u8),
    Crash(LaneId),
}

impl State {
    fn under_way(&self) -> impl Iterator<Item = u8> {
        (0..MESSAGES as u8).filter(|message| self.under_way[*message as usize] > 0)
    }
}

impl Machine for Courier {
    type State = State;
    type Action = Action;

    fn initial(&self) -> State {
        State {
            sent: 0,
            under_way: [0; MESSAGES],
            received: 0,
            down: [false; 2],
        }
    }

    fn protocol_steps(&self, state: &State, out: &mut Vec<Action>) {
        if !state.down[0] && (state.sent as usize) < MESSAGES {
            out.push(Action::Send);
        }
        out.extend(state.under_way().map(Action::Arrive));
        let down = |lane: &LaneId| state.down[*lane as usize];
        out.extend(
            [SENDER, RECEIVER]
                .into_iter()
                .filter(down)
                .map(Action::Restart),
        );
    }

    fn faults(&self, state: &State, out: &mut Vec<Action>) {
        let up = |lane: &LaneId| !state.down[*lane as usize];
        out.extend([SENDER, RECEIVER].into_iter().filter(up).map(Action::Crash));
        let copied_or_lost = |message| [Action::Copy(message), Action::Lose(message)];
        out.extend(state.under_way().flat_map(copied_or_lost));
    }

    fn fault(&self, _: &State, action: Action) -> Option<Fault> {
        match action {
            Action::Send | Action::Arrive(_) | Action::Restart(_) => None,
            Action::Copy(_) => Some(Fault::Duplicate),
            Action::Lose(_) => Some(Fault::LoseMessage),
            Action::Crash(_) => Some(Fault::Crash),
        }
    }

    fn step(&self, state: &mut State, action: Action, observer: &mut impl Observer) {
        let mut send = |message: u8, under_way: &mut [u8; MESSAGES]| {
            under_way[message as usize] += 1;
            observer.see(|| Effect::Sent {
                message: message.into(),
                from: SENDER,
                to: RECEIVER,
                label: WORD.label(),
            });
        };
        match action {
            Action::Send => {
                send(state.sent, &mut state.under_way);
                state.sent += 1;
            }
            Action::Copy(message) => send(message, &mut state.under_way),
            // Nobody is there to take it.
            Action::Arrive(message) if state.down[RECEIVER as usize] => {
                state.under_way[message as usize] -= 1;
                observer.see(|| Effect::Lost {
                    message: message.into(),
                });
            }
            Action::Arrive(message) => {
                state.under_way[message as usize] -= 1;
                state.received += 1;
                observer.see(|| Effect::Arrived {
                    message: message.into(),
                });
                observer.see(|| Effect::Marked {
                    lane: RECEIVER,
                    mark: Mark::Applied,
                    label: None,
                });
            }
            Action::Lose(message) => {
                state.under_way[message as usize] -= 1;
                observer.see(|| Effect::Lost {
                    message: message.into(),
                });
            }
            Action::Crash(lane) => {
                state.down[lane as usize] = true;
                observer.see(|| Effect::Down { lane });
            }
            Action::Restart(lane) => {
                state.down[lane as usize] = false;
                observer.see(|| Effect::Up { lane });
            }
        }
    }

    fn verdict(&self, _: &State) -> Verdict {
        Verdict {
            outcome: Outcome::None,
            belief: Belief::Agrees,
            progress: Progress::Running,
        }
    }
}

impl Lab for Courier {
    const ID: &'static str = "courier";
    const SCHEMA: &'static [Setting] = &[];
    const FAULTS: &'static [Fault] = &[Fault::Duplicate, Fault::LoseMessage, Fault::Crash];
    const TEXTS: &'static [Text] = &[WORD];
    const ACTIONS: &'static [&'static str] = &[];

    fn presets() -> Vec<Preset> {
        Vec::new()
    }
    fn new(_: &Settings) -> Courier {
        Courier
    }
    fn lanes(&self) -> Vec<Lane> {
        vec![lane(true), lane(true)]
    }
    fn name(&self, action: Action) -> String {
        let letter = |lane: LaneId| ["a", "b"][lane as usize];
        match action {
            Action::Send => "send".into(),
            Action::Arrive(message) => format!("arrive {}", message + 1),
            Action::Restart(lane) => format!("restart {}", letter(lane)),
            Action::Copy(message) => format!("copy {}", message + 1),
            Action::Lose(message) => format!("lose {}", message + 1),
            Action::Crash(lane) => format!("crash {}", letter(lane)),
        }
    }
    fn describe(&self, _: &State, _: Action) -> Label {
        WORD.label()
    }
    fn picture(&self, _: &State) -> Picture {
        let figure = || Figure {
            value: WORD.label(),
            detail: WORD.label(),
        };
        Picture {
            truth: figure(),
            belief: figure(),
            reason: WORD.label(),
            tables: Vec::new(),
            next_steps: Vec::new(),
        }
    }
    fn laws(&self, _: &State) -> Vec<Law> {
        Vec::new()
    }
}

fn lane(present: bool) -> Lane {
    Lane {
        name: WORD.label(),
        durability: Durability::Volatile,
        present,
    }
}

fn play(actions: &[&str]) -> Timeline<Courier> {
    let mut run = Timeline::new(Courier);
    for name in actions {
        assert!(run.act(name), "{name}");
    }
    run
}

/// What happens to each copy that is sent: its row, the row of the first copy, its end.
fn arrows(diagram: &Diagram) -> Vec<(usize, Option<usize>, End)> {
    let rows = diagram.rows().iter().enumerate();
    let sent = rows.flat_map(|(row, shown)| shown.items.iter().map(move |item| (row, item)));
    sent.filter_map(|(row, item)| match item {
        Item::Sent {
            copy_of,
            end,
            from: SENDER,
            to: RECEIVER,
            ..
        } => Some((row, *copy_of, *end)),
        _ => None,
    })
    .collect()
}

/// The arrows that end in each row and began in an earlier one: row, row of departure, lost.
fn endings(diagram: &Diagram) -> Vec<(usize, usize, bool)> {
    let rows = diagram.rows().iter().enumerate();
    let items = rows.flat_map(|(row, shown)| shown.items.iter().map(move |item| (row, item)));
    items
        .filter_map(|(row, item)| match item {
            Item::Ended {
                from: SENDER,
                to: RECEIVER,
                sent_in,
                lost,
            } => Some((row, *sent_in, *lost)),
            _ => None,
        })
        .collect()
}

/// Row:                 0       1       2         3          4           5            6          7
const STORY: &[&str] = &[
    "send",
    "send",
    "copy 1",
    "crash b",
    "arrive 1",
    "restart b",
    "arrive 2",
    "arrive 1",
];

#[test]
fn every_arrow_ends_where_the_message_does() {
    let run = play(STORY);
    let (arrived, lost) = (|row| End::Arrived { row }, |row| End::Lost { row });
    // The oldest copy of message 1 comes to a dead receiver, the second one arrives.
    assert_eq!(
        arrows(run.diagram()),
        [
            (0, None, lost(4)),
            (1, None, arrived(6)),
            (2, Some(0), arrived(7))
        ]
    );
    assert_eq!(
        endings(run.diagram()),
        [(4, 0, true), (6, 1, false), (7, 2, false)]
    );
}

#[test]
fn a_message_in_flight_has_no_end_and_a_lost_one_does() {
    let run = play(&["send", "send", "lose 2", "send"]);
    let expected = [
        (0, None, End::InFlight),
        (1, None, End::Lost { row: 2 }),
        (3, None, End::InFlight),
    ];
    assert_eq!(arrows(run.diagram()), expected);
    assert_eq!(endings(run.diagram()), [(2, 1, true)]);
}

#[test]
fn a_message_sent_again_after_it_arrived_is_a_copy_of_the_first() {
    let run = play(&["send", "copy 1", "copy 1", "arrive 1", "copy 1"]);
    let copies: Vec<_> = arrows(run.diagram())
        .into_iter()
        .map(|(row, of, _)| (row, of))
        .collect();
    assert_eq!(
        copies,
        [(0, None), (1, Some(0)), (2, Some(0)), (4, Some(0))]
    );
}

#[test]
fn lanes_are_dead_from_the_crash_to_the_restart() {
    let run = play(&["crash a", "crash b", "restart b", "restart a", "crash b"]);
    let down = |lane: LaneId| -> Vec<(bool, bool)> {
        let rows = run.diagram().rows().iter();
        rows.map(|row| (row.before.is_down(lane), row.after.is_down(lane)))
            .collect()
    };
    let (t, f) = (true, false);
    assert_eq!(down(SENDER), [(f, t), (t, t), (t, t), (t, f), (f, f)]);
    assert_eq!(down(RECEIVER), [(f, f), (f, t), (t, f), (f, f), (f, t)]);
}

#[test]
fn going_back_draws_what_was_drawn_then() {
    for len in 0..=STORY.len() {
        let mut run = play(STORY);
        run.truncate(len);
        assert_eq!(run.diagram(), play(&STORY[..len]).diagram(), "{len}");
        for name in &STORY[len..] {
            assert!(run.act(name), "{name}");
        }
        assert_eq!(run.diagram(), play(STORY).diagram(), "{len}");
    }
}

#[test]
fn rows_carry_their_fault() {
    let run = play(STORY);
    let faults: Vec<_> = run
        .diagram()
        .rows()
        .iter()
        .map(|row| row.fault.map(Fault::id))
        .collect();
    let expected = [
        None,
        None,
        Some("duplicate"),
        Some("crash"),
        None,
        None,
        None,
        None,
    ];
    assert_eq!(faults, expected);
}

/// Effects that no courier has: arrows within one row, and a participant that starts late.
#[test]
fn messages_of_one_step_end_in_its_row() {
    let mut diagram = Diagram::new(&[lane(true), lane(true), lane(false)]);
    let passed = |lost| Effect::Passed {
        from: SENDER,
        to: RECEIVER,
        label: WORD.label(),
        lost,
    };
    let sent = Effect::Sent {
        message: 7,
        from: SENDER,
        to: RECEIVER,
        label: WORD.label(),
    };
    diagram.push(
        WORD.label(),
        None,
        vec![
            passed(false),
            passed(true),
            sent,
            Effect::Arrived { message: 7 },
        ],
    );
    diagram.push(
        WORD.label(),
        None,
        vec![Effect::Up { lane: 2 }, Effect::Lost { message: 7 }],
    );
    let (arrived, lost) = (End::Arrived { row: 0 }, End::Lost { row: 0 });
    assert_eq!(
        arrows(&diagram),
        [(0, None, arrived), (0, None, lost), (0, None, arrived)]
    );
    assert_eq!(
        endings(&diagram),
        [],
        "an arrow of the same row needs no second end"
    );
    let rows = diagram.rows();
    assert!(!rows[1].before.is_present(2) && rows[1].after.is_present(2));
    assert_eq!(
        rows[1].items,
        [Item::Up { lane: 2 }],
        "nothing was under way any more"
    );
}
