//! What the kitchen has to know.

use std::collections::BTreeMap;

use askama::Template;
use axum::extract::State;
use domain::model::{Guest, Status};

use super::{
    Pages,
    respond::{Frame, PageResult, page},
    session::Host,
    words,
};

#[derive(Template)]
#[template(path = "dietary.html")]
struct Dietary {
    frame: Frame,
    people: u32,
    needs: Vec<Need>,
    rows: Vec<DietaryRow>,
    as_of: String,
}

/// The same need, in the words in which it was written most often.
struct Need {
    words: String,
    guests: usize,
}

struct DietaryRow {
    id: String,
    name: String,
    group: String,
    who: String,
    needs: String,
}

/// Who of those coming needs what, and how often.
pub async fn show(State(pages): State<Pages>, host: Host) -> PageResult {
    let guests = pages.web.app.all_guests(&host.event.id).await?;
    let coming: Vec<&Guest> = guests.iter().filter(|guest| guest.status == Status::Coming).collect();
    let with_needs: Vec<&Guest> = coming.iter().copied().filter(|guest| !guest.dietary.is_empty()).collect();
    let row = |guest: &&Guest| DietaryRow {
        id: guest.id.to_string(),
        name: guest.full_name(),
        group: guest.group_id.as_ref().map(ToString::to_string).unwrap_or_default(),
        who: words::who_comes(guest),
        needs: guest.dietary.clone(),
    };
    page(&Dietary {
        frame: host.frame("Dietary needs", "dietary"),
        people: coming.iter().map(|guest| guest.num_guests).sum(),
        needs: counted(&with_needs),
        rows: with_needs.iter().map(row).collect(),
        as_of: words::moment(pages.web.app.clock.now(), host.event.time_zone),
    })
}

/// Needs that differ by case and spaces only are one.
fn counted(guests: &[&Guest]) -> Vec<Need> {
    let mut by_words: BTreeMap<String, Need> = BTreeMap::new();
    for guest in guests {
        let words = guest.dietary.split_whitespace().collect::<Vec<_>>().join(" ");
        let need = by_words.entry(words.to_lowercase()).or_insert(Need { words, guests: 0 });
        need.guests += 1;
    }
    let mut needs: Vec<Need> = by_words.into_values().collect();
    needs.sort_by_key(|need| std::cmp::Reverse(need.guests));
    needs
}
