//! A session as text, with all its branches: what a browser's tab keeps through a reload.
//!
//! The first line is a link to the settings and the cursor, the second says which branch is open, and
//! each line after that is a branch: number, where it left another one, length, the actions it means
//! to take.

use std::rc::Rc;

use serde_json::Value as Json;

use super::{BRANCHES_MAX, Branch, Kept, Script, Session, Snapshot};
use crate::run::{Run, link};

impl Session {
    pub fn keep(&self) -> String {
        let now = &self.now;
        let settings = Run {
            lab: now.lab,
            settings: now.settings.clone(),
            actions: Vec::new(),
            at: Some(now.cursor),
        };
        let mut text = format!("{}\n{}", settings.to_link(), now.open);
        for (place, branch) in self.branches().iter().enumerate() {
            let script = match place == now.open {
                true => &now.script,
                false => &now.branches[place].script,
            };
            let actions: Vec<String> = script.iter().map(|name| name.to_string()).collect();
            let actions = link::write_actions(&actions);
            let Branch { id, forked_at, len } = branch;
            text += &format!("\n{id} {forked_at} {len} {actions}");
        }
        text
    }

    /// The session that was kept as this text; `None` if it is none.
    pub fn kept(text: &str) -> Option<Session> {
        let mut lines = text.lines();
        let run = Run::from_link(lines.next()?).ok()?;
        let open: usize = lines.next()?.parse().ok()?;
        let mut branches = lines.map(branch).collect::<Option<Vec<_>>>()?;
        if branches.len() > BRANCHES_MAX {
            return None;
        }
        let script = std::mem::take(&mut branches.get_mut(open)?.script);
        Some(Session::of(Snapshot {
            lab: run.lab,
            settings: run.settings,
            cursor: run.at?,
            script,
            branches,
            open,
            twin: None,
        }))
    }
}

fn branch(line: &str) -> Option<Kept> {
    let mut parts = line.splitn(4, ' ');
    let mut number = || parts.next()?.parse::<usize>().ok();
    let (id, forked_at, len) = (number()?, number()?, number()?);
    let script = match parts.next()? {
        "" => Script::default(),
        actions => {
            let actions = link::read_actions(actions).ok()?;
            let names = actions.as_array()?.iter().filter_map(Json::as_str);
            Rc::new(names.map(Rc::from).collect())
        }
    };
    let branch = Branch { id, forked_at, len };
    Some(Kept { branch, script })
}
