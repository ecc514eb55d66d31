//! The first line of a results file: read, or everything that is wrong with it.

use super::check::{COUNT, Member, Rule, check_members, check_unknown, text, whole};
use super::record::{KIND, RunHeader, Selection, VERSION};
use crate::findings::{Findings, Place};
use crate::json::{Kind, Tree, Value};
use crate::problem::{Code, Problem};

const MEMBERS: [Member; 9] = [
    Member::required("kind", Rule::Text),
    // Checked by its own rule, which has a code of its own.
    Member::required("version", Rule::Any),
    Member::required("dataset", Rule::Text),
    Member::required("provider", Rule::Text),
    Member::required("model", Rule::TextOrNull),
    Member::required("startedAt", Rule::Instant),
    Member::required("itemCount", COUNT),
    Member::optional("partial", Rule::Boolean),
    Member::optional("selection", Rule::Object),
];

const SELECTION: [Member; 6] = [
    Member::required("of", COUNT),
    Member::optional("count", COUNT),
    Member::optional("limit", COUNT),
    Member::optional("sample", COUNT),
    Member::optional("seed", COUNT),
    Member::optional("ids", Rule::Texts),
];

/// What is known of a header.
#[derive(Debug, Default)]
pub(crate) struct Header {
    /// Whether the lines behind it are those of a results file.
    pub(crate) leads_items: bool,
    /// How many items are said to follow, where that can be read.
    pub(crate) item_count: Option<u64>,
    /// The header, only where nothing is wrong with it.
    pub(crate) read: Option<RunHeader>,
}

/// Reads the first line of a results file, or adds all of its problems.
pub(crate) fn read(line: &[u8], number: u64, problems: &mut Vec<Problem>) -> Header {
    let tree = match Tree::read(line, &[]) {
        Ok(tree) => tree,
        Err(fault) => {
            problems.push(fault.problem(number));
            return Header::default();
        }
    };
    let mut findings = Findings::new(number, problems);
    let root = tree.root();
    if root.kind() != Kind::Object {
        findings.not_an_object();
        return Header::default();
    }
    let kind = root.member("kind").and_then(Value::string);
    if kind.is_none_or(|kind| kind != KIND) {
        let message = format!(
            "This is no results file: the first line must be a header whose 'kind' is '{KIND}'."
        );
        findings.add(Code::InvalidHeader, "kind".to_owned(), message);
        return Header::default();
    }
    let version = root.member("version");
    let other = version.and_then(Value::whole_number);
    if let Some(other) = other.filter(|&other| other != VERSION) {
        let message = format!(
            "This file uses results format version {other}; this reader reads version {VERSION}."
        );
        findings.add(Code::UnsupportedVersion, "version".to_owned(), message);
        return Header::default();
    }
    let before = findings.count();
    check(&tree, &mut findings);
    let is_right = findings.count() == before;
    Header {
        leads_items: true,
        item_count: root.member("itemCount").and_then(whole),
        read: is_right.then(|| header(root)).flatten(),
    }
}

fn check(tree: &Tree<'_>, findings: &mut Findings<'_>) {
    let root = tree.root();
    findings.repeats(tree);
    let place = Place::Line;
    check_unknown(root, "a header", &MEMBERS, &place, findings);
    for member in &MEMBERS {
        member.check(root, &place, findings);
        let version = root.member("version");
        if member.name == "version" && version.is_some_and(|version| version.literal() != VERSION) {
            let message = format!("'version' must be the number {VERSION}.");
            findings.add(Code::InvalidVersion, "version".to_owned(), message);
        }
    }
    if let Some(selection) = root
        .member("selection")
        .filter(|selection| selection.kind() == Kind::Object)
    {
        let own = place.member("selection");
        check_members(selection, "a selection", &SELECTION, &own, findings);
    }
}

fn header(root: Value<'_>) -> Option<RunHeader> {
    let count = |object: Value<'_>, name: &str| object.member(name).and_then(whole);
    let selection = match root.member("selection") {
        Some(selection) => Some(Selection {
            of: count(selection, "of")?,
            count: count(selection, "count"),
            limit: count(selection, "limit"),
            sample: count(selection, "sample"),
            seed: count(selection, "seed"),
            ids: selection.member("ids").map(|ids| {
                let texts = ids.children().filter_map(Value::string);
                texts.map(std::borrow::Cow::into_owned).collect()
            }),
        }),
        None => None,
    };
    Some(RunHeader {
        dataset: text(root, "dataset")?,
        provider: text(root, "provider")?,
        model: text(root, "model"),
        started_at: text(root, "startedAt")?,
        item_count: count(root, "itemCount")?,
        partial: root
            .member("partial")
            .is_some_and(|partial| partial.kind() == Kind::True),
        selection,
    })
}
