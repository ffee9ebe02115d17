//! The sentences that belong to no lab.

/// What can be wrong with something that comes from outside.
pub mod problem {
    crate::machine::texts! {
        NOT_AN_OBJECT = "problem.not_an_object";
        UNKNOWN_SETTING = "problem.unknown_setting";
        MISSING = "problem.missing";
        NOT_A_LIST = "problem.not_a_list";
        UNKNOWN_OPTION = "problem.unknown_option" (1);
        REPEATED_STEP = "problem.repeated_step" (1);
        TOO_MANY_ROWS = "problem.too_many_rows" (1);
        NOT_TEXT = "problem.not_text";
        EMPTY_TEXT = "problem.empty_text";
        TEXT_TOO_LONG = "problem.text_too_long" (1);
        NOT_AN_INTEGER = "problem.not_an_integer";
        /// Not JSON: line, column.
        NOT_JSON = "problem.not_json" (2);
        UNKNOWN_VERSION = "problem.unknown_version" (1);
        UNKNOWN_LAB = "problem.unknown_lab" (1);
        /// An action that cannot be taken: its name.
        NOT_POSSIBLE = "problem.not_possible" (1);
        /// A run that is too long: the limit.
        TOO_LONG = "problem.too_long" (1);
        /// A file that is larger than a run can be: the limits in MiB and in actions.
        TOO_LARGE = "problem.too_large" (2);
        NOT_A_COUNT = "problem.not_a_count";
        NOT_TEXTS = "problem.not_texts";
        BAD_LINK = "problem.bad_link";
    }
}
