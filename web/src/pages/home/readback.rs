//! What would be saved, read back before it is.

use askama::Template;
use domain::{
    activity::AnswerFacts,
    address::Channel,
    answer::Applied,
    conversation::Party,
    model::{AnsweredBy, Guest},
    rsvp::{self, Change, Refusal, Request},
};

use super::{
    super::{
        Pages,
        respond::{Frame, PageResult, page},
        session::Invited,
        words,
    },
    Home,
};

#[derive(Template)]
#[template(path = "readback.html")]
struct ReadBack {
    frame: Frame,
    lines: Vec<ReadLine>,
    total: String,
    /// Whether nobody's dietary needs are noted.
    asks_needs: bool,
    /// What the chat would ask about first.
    warnings: Vec<String>,
    version: u64,
    fields: Vec<(String, String)>,
}

struct ReadLine {
    name: String,
    answer: String,
    dietary: String,
}

/// What would be saved, with what others should be asked about first.
pub struct Preview {
    pub applied: Applied,
    /// What the chat would ask about first.
    warnings: Vec<String>,
}

/// Decides without saving; what has to be confirmed is taken for confirmed.
///
/// # Errors
/// Why it cannot be saved.
pub fn preview(pages: &Pages, invited: &Invited, request: &Request) -> Result<Preview, Refusal> {
    let now = pages.web.app.clock.now();
    let party = Party { me: &invited.guest, group: &invited.group, event: &invited.event };
    let by = AnsweredBy { guest_id: invited.guest.id, channel: Channel::Web };
    let mut warnings = Vec::new();
    let mut decided = rsvp::decide(&party, request, &by, now);
    if let Err(Refusal::Confirm(changes)) = &decided {
        warnings.extend(changes.iter().map(warning));
        decided = rsvp::decide(&party, &confirmed(request), &by, now);
    }
    decided.map(|(_, applied)| Preview { applied, warnings })
}

/// Shows what would be saved.
///
/// # Errors
/// When the template fails.
pub fn read_back(shown: Home, preview: Preview) -> PageResult {
    let Preview { applied, warnings } = preview;
    let line = |guest: &Guest| ReadLine {
        name: guest.full_name(),
        answer: words::answer(&AnswerFacts::from(guest)),
        dietary: guest.dietary.clone(),
    };
    let mut fields: Vec<(String, String)> = Vec::new();
    if shown.is_open {
        fields.push(("extra".to_owned(), shown.extra.clone()));
    }
    for member in &shown.members {
        if shown.is_open {
            fields.push((format!("comes-{}", member.id), member.comes.to_owned()));
            fields.push((format!("companions-{}", member.id), member.companions.clone()));
        }
        fields.push((format!("dietary-{}", member.id), member.dietary.clone()));
    }
    page(&ReadBack {
        frame: Frame { title: "Is this right?".to_owned(), ..shown.frame },
        lines: applied.members.iter().map(line).collect(),
        asks_needs: applied.head_count() > 0 && applied.members.iter().all(|guest| guest.dietary.is_empty()),
        total: words::count(applied.head_count().into(), "person comes", "people come"),
        warnings,
        version: shown.version,
        fields,
    })
}

fn confirmed(request: &Request) -> Request {
    match request.clone() {
        Request::Members { members, extra, .. } => Request::Members { members, extra, confirmed: true },
        other => other,
    }
}

fn warning(change: &Change) -> String {
    match change {
        Change::AnswerOf { before, after } => format!(
            "{} had answered: {}. You would change that to: {}.",
            before.full_name(),
            words::answer(&AnswerFacts::from(before.as_ref())),
            words::answer(&AnswerFacts::from(after.as_ref()))
        ),
        Change::Extras { after, .. } => {
            format!(
                "That is {} more than expected. The host will see it.",
                words::count((*after).into(), "person", "people")
            )
        }
    }
}
