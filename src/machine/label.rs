//! Typed labels: which sentence with which arguments, never its words.

use std::sync::Arc;

/// A sentence that the catalogues in `locales/` must have in every language.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Text {
    /// The key in the catalogues, such as `balance.applied`.
    pub key: &'static str,
    /// How many arguments the sentence takes.
    pub arity: usize,
}

impl Text {
    /// The label of this sentence without arguments.
    pub fn label(self) -> Label {
        self.with([])
    }

    pub fn with<const N: usize>(self, args: [Arg; N]) -> Label {
        debug_assert_eq!(self.arity, N, "{} takes {} arguments", self.key, self.arity);
        Label {
            text: self,
            args: args.into(),
        }
    }
}

/// A sentence with its arguments. Compared to find out what a step has changed.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Label {
    pub text: Text,
    pub args: Vec<Arg>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Arg {
    /// A plain number.
    Number(i64),
    /// A number shown with its sign, such as a change of a balance.
    Signed(i64),
    /// What a person typed; shown as it is.
    Typed(Arc<str>),
    /// A sentence inside a sentence.
    Label(Label),
}

impl From<Label> for Arg {
    fn from(label: Label) -> Arg {
        Arg::Label(label)
    }
}

impl From<Text> for Arg {
    fn from(text: Text) -> Arg {
        Arg::Label(text.label())
    }
}

/// Declares the sentences of a lab, and the list of them that the catalogues are checked against.
macro_rules! texts {
    ($($(#[$meta:meta])* $name:ident = $key:literal $(($arity:literal))?;)*) => {
        $($(#[$meta])* pub const $name: $crate::machine::Text = $crate::machine::Text {
            key: $key,
            arity: 0 $(+ $arity)?,
        };)*
        /// Every sentence above.
        pub const ALL: &[$crate::machine::Text] = &[$($name),*];
    };
}
pub(crate) use texts;
