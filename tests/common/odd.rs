//! Text that a codec could stumble over.

pub const ODD_TEXTS: [&str; 12] = [
    "a",
    "b",
    " ",
    "a b",
    "&=~_.%+#*",
    "\"quoted\\\"",
    "line\nbreak\t\0",
    "收款 №1",
    "e\u{301}",
    "🧾👩‍💻",
    "%41",
    "\u{202e}<b>",
];
