//! Links as people hand them on: through mail and chat programs, which change them.

use effectively_once::labs::LABS;
use effectively_once::run::{Run, RunError};

/// A link to every design of every lab, and one with ids that need encoding.
fn links() -> Vec<String> {
    let designs = LABS.iter().flat_map(|lab| {
        lab.presets().into_iter().map(|preset| Run {
            lab: *lab,
            settings: preset.settings,
            actions: preset.run,
            at: Some(1),
        })
    });
    let mut links: Vec<_> = designs.map(|run| run.to_link()).collect();
    links.push("v=1&lab=balance&operations=a%26b~5_%3D%2B~-7&run=deliver+1+a".into());
    links
}

fn opened(link: &str) -> Result<String, RunError> {
    Run::from_link(link).map(|run| run.to_link())
}

#[test]
fn links_survive_being_passed_on() {
    for link in links() {
        let whole = link.replace('%', "%25").replace('&', "%26");
        let changed = [
            link.replace('&', "&amp;"),
            whole.replace('=', "%3D"),
            link.replace('=', "%3D"),
            link.replace('+', "%2B"),
            link.replace('+', "%20"),
            link.replace('*', "%2A"),
            link.replace('~', "%7E"),
            format!("{link}."),
            format!("{link})."),
            format!("{link}&utm_source=mail&fbclid=x"),
            format!("{link}&lang=zh"),
        ];
        assert_eq!(opened(&link).as_ref(), Ok(&link));
        for changed in changed {
            assert_eq!(opened(&changed).as_ref(), Ok(&link), "{changed}");
        }
    }
}

#[test]
fn a_link_says_its_language() {
    let asked = |link: &str| Run::language_of_link(link);
    assert_eq!(asked("v=1&lab=balance&lang=zh").as_deref(), Some("zh"));
    assert_eq!(asked("v=1&lab=balance"), None);
    assert_eq!(asked("x"), None);
}
