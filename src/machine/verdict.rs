//! How a state is judged, in three independent parts.

/// The judgement of one state. Each lab defines the parts for its own business effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Verdict {
    pub outcome: Outcome,
    pub belief: Belief,
    pub progress: Progress,
}

/// How often the business effect happened, measured against what was intended and acknowledged.
/// Where several operations differ, the worst counts; the order is from good to bad.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Outcome {
    /// Nothing has happened yet.
    None,
    /// Everything that happened, happened once.
    Once,
    /// Success was acknowledged, and the effect is not there.
    Lost,
    /// One intent took effect more than once.
    Duplicated,
}

/// Whether what the records and the participants claim is what really happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Belief {
    Agrees,
    /// Somebody knows that they do not know.
    Unknown,
    /// Somebody holds something false for true.
    Wrong,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Progress {
    /// The protocol has a step to take.
    Running,
    /// Nothing is left to do.
    Done,
    /// Something is left to do and no automatic step does it: it needs a person.
    Stuck,
}

/// The worst thing about a verdict, in one word. The order is from good to bad.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Harm {
    Clean,
    Stuck,
    /// The protocol goes on for ever and never reaches an end. No single state shows it, so no
    /// verdict says it: only [`explore`](crate::explore) finds it.
    Endless,
    WrongBelief,
    Lost,
    Duplicated,
}

impl Verdict {
    pub fn harm(self) -> Harm {
        match self {
            Verdict {
                outcome: Outcome::Duplicated,
                ..
            } => Harm::Duplicated,
            Verdict {
                outcome: Outcome::Lost,
                ..
            } => Harm::Lost,
            Verdict {
                belief: Belief::Wrong,
                ..
            } => Harm::WrongBelief,
            Verdict {
                progress: Progress::Stuck,
                ..
            } => Harm::Stuck,
            _ => Harm::Clean,
        }
    }
}

impl Outcome {
    /// The name used in files and text keys.
    pub const fn id(self) -> &'static str {
        match self {
            Outcome::None => "none",
            Outcome::Once => "once",
            Outcome::Lost => "lost",
            Outcome::Duplicated => "duplicated",
        }
    }
}

impl Belief {
    /// The name used in files and text keys.
    pub const fn id(self) -> &'static str {
        match self {
            Belief::Agrees => "agrees",
            Belief::Unknown => "unknown",
            Belief::Wrong => "wrong",
        }
    }
}

impl Progress {
    /// The name used in files and text keys.
    pub const fn id(self) -> &'static str {
        match self {
            Progress::Running => "running",
            Progress::Done => "done",
            Progress::Stuck => "stuck",
        }
    }
}

impl Harm {
    /// From good to bad; each stands at its own number.
    pub const ALL: [Harm; 6] = [
        Harm::Clean,
        Harm::Stuck,
        Harm::Endless,
        Harm::WrongBelief,
        Harm::Lost,
        Harm::Duplicated,
    ];

    /// The name used in files and text keys.
    pub const fn id(self) -> &'static str {
        match self {
            Harm::Clean => "clean",
            Harm::Stuck => "stuck",
            Harm::Endless => "endless",
            Harm::WrongBelief => "wrong_belief",
            Harm::Lost => "lost",
            Harm::Duplicated => "duplicated",
        }
    }
}
