//! What a person types into a field.

use super::*;

#[test]
fn a_typed_number_may_have_spaces_and_a_sign() {
    let typed = [
        "5",
        " +5 ",
        "-5",
        "\u{2212}5",
        "9223372036854775807",
        "-9223372036854775808",
    ];
    let read = typed.map(|typed| ColumnKind::Integer.parse(typed));
    let numbers = [5, 5, -5, -5, i64::MAX, i64::MIN];
    assert_eq!(read, numbers.map(|number| Ok(Cell::Integer(number))));
    for wrong in [
        "",
        " ",
        "5.0",
        "1e3",
        "0x5",
        "five",
        "--5",
        "9223372036854775808",
    ] {
        let read = ColumnKind::Integer.parse(wrong);
        assert_eq!(read, Err(SettingsProblem::NotAnInteger), "{wrong}");
    }
}

#[test]
fn a_typed_text_is_kept_as_it_is() {
    let kind = ColumnKind::Text { chars_max: 3 };
    for typed in [" ", "\u{1F9FE}\u{1F9FE}\u{1F9FE}", "a b"] {
        assert_eq!(kind.parse(typed), Ok(Cell::Text(typed.into())));
    }
    assert_eq!(kind.parse(""), Err(SettingsProblem::EmptyText));
    assert_eq!(kind.parse("abcd"), Err(SettingsProblem::TextTooLong(3)));
}
