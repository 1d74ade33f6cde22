//! A page that looks like a phone: the bot can be tried as a guest would use it, through the real intake.

use std::{
    collections::{BTreeMap, VecDeque},
    sync::{Mutex, PoisonError},
};

use askama::Template;
use async_trait::async_trait;
use axum::{
    extract::{RawQuery, State},
    response::Response,
};
use domain::{
    address::{Address, Channel, Style},
    message::{Body, Inbound},
    model::{EventId, Guest},
};
use store::Rendered;

use super::{
    Pages,
    form::{self, Fields},
    respond::{Ended, Frame, PageError, PageResult, page, see_other},
    session::{Visitor, VisitorForm},
};

/// Chats that are remembered; the one that was quiet longest is forgotten first.
const MOST_CHATS: usize = 500;
const MOST_LINES: usize = 200;
const MOST_TEXT: usize = 2_000;
/// Chats on the page begin so: nobody at the terminal takes their messages.
pub const ON_PAGE: &str = "page-";
/// Guests whose codes are offered.
const MOST_GUESTS: usize = 12;

/// A message that arrived at a chat of the try-out.
#[derive(Debug, Clone)]
pub struct TryOutMessage {
    pub to: Address,
    pub text: Rendered,
}

/// The try-out cannot go on; the log says why.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the try-out does not work at the moment")]
pub struct TryOutError;

/// Where the bot can be tried: the real intake and courier, on the demo or on a copy of an event.
#[async_trait]
pub trait TryOut: Send + Sync {
    /// Takes in what somebody says, if anything, and gives what is then due at any chat of this event's try-out.
    ///
    /// # Errors
    /// When the try-out does not work.
    async fn say(&self, event: Option<&EventId>, said: Option<Inbound>) -> Result<Vec<TryOutMessage>, TryOutError>;

    /// Whose codes can be tried.
    ///
    /// # Errors
    /// When the try-out does not work.
    async fn guests(&self, event: Option<&EventId>) -> Result<Vec<Guest>, TryOutError>;

    /// Makes the copy anew; nothing where the try-out is the demo itself.
    ///
    /// # Errors
    /// When the try-out does not work.
    async fn start_again(&self, event: &EventId) -> Result<(), TryOutError>;
}

/// What was said at the chats, as long as this process runs.
#[derive(Debug, Default)]
pub struct Desk {
    chats: Mutex<Chats>,
}

#[derive(Debug, Default)]
struct Chats {
    lines: BTreeMap<Address, VecDeque<Line>>,
    /// The one used last is last.
    order: VecDeque<Address>,
}

/// One message of a chat.
#[derive(Debug, Clone)]
struct Line {
    is_mine: bool,
    /// Escaped, with the bold and italics of the bot.
    html: String,
    choices: Vec<(String, String)>,
    file: String,
    segments: u32,
}

impl Desk {
    fn add(&self, address: &Address, line: Line) {
        let mut chats = self.chats.lock().unwrap_or_else(PoisonError::into_inner);
        let lines = chats.lines.entry(address.clone()).or_default();
        lines.push_back(line);
        if lines.len() > MOST_LINES {
            lines.pop_front();
        }
        chats.order.retain(|other| other != address);
        chats.order.push_back(address.clone());
        if chats.order.len() > MOST_CHATS
            && let Some(oldest) = chats.order.pop_front()
        {
            chats.lines.remove(&oldest);
        }
    }

    fn lines(&self, address: &Address) -> Vec<Line> {
        let chats = self.chats.lock().unwrap_or_else(PoisonError::into_inner);
        chats.lines.get(address).map(|lines| lines.iter().cloned().collect()).unwrap_or_default()
    }

    fn forget(&self, address: &Address) {
        self.chats.lock().unwrap_or_else(PoisonError::into_inner).lines.remove(address);
    }

    /// Files what arrived under the chats it arrived at.
    fn file(&self, arrived: Vec<TryOutMessage>) {
        for message in arrived {
            let shows_choices = message.to.style() == Style::Buttons;
            let choices = message.text.choices.into_iter().filter(|_| shows_choices);
            let line = Line {
                is_mine: false,
                html: if shows_choices { with_markup(&message.text.text) } else { escaped(&message.text.text) },
                choices: choices.map(|choice| (choice.id, choice.label)).collect(),
                file: message.text.attachment.map(|file| file.name).unwrap_or_default(),
                segments: message.text.segments,
            };
            self.add(&message.to, line);
        }
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;").replace('\'', "&#39;")
}

/// The bot's own markup and nothing else: everything is escaped first, then the few known tags come back.
fn with_markup(html: &str) -> String {
    let mut text = escaped(html);
    for tag in ["b", "/b", "i", "/i"] {
        text = text.replace(&format!("&lt;{tag}&gt;"), &format!("<{tag}>"));
    }
    for entity in ["lt", "gt", "amp"] {
        text = text.replace(&format!("&amp;{entity};"), &format!("&{entity};"));
    }
    text
}

#[derive(Template)]
#[template(path = "simulator.html")]
struct Simulator {
    frame: Frame,
    is_sms: bool,
    lines: Vec<Line>,
    guests: Vec<Invitee>,
    is_demo: bool,
}

/// Somebody whose code can be tried.
struct Invitee {
    line: String,
    name: String,
    group: String,
}

/// Who tries the bot, and on which event.
struct Trying {
    event: Option<EventId>,
    id: String,
}

impl Trying {
    fn of(pages: &Pages, visitor: &Visitor) -> Result<Self, PageError> {
        let id = form::proof(&visitor.visit)[..12].to_owned();
        if pages.is_demo {
            return Ok(Self { event: None, id });
        }
        match &visitor.guest {
            Some(host) if host.is_admin => Ok(Self { event: Some(host.event_id.clone()), id }),
            Some(_) => Err(PageError::NotAHost),
            None => Err(PageError::LogIn { at: "/admin/login", next: "/try".to_owned(), ended: Ended::Nothing }),
        }
    }

    /// Different events never share a chat, even of one person.
    fn address(&self, channel: Channel) -> Address {
        let event = self.event.as_ref().map(|event| format!("-{event}")).unwrap_or_default();
        Address::console(channel, &format!("{ON_PAGE}{}{event}", self.id))
    }
}

fn channel(fields: &Fields) -> Channel {
    if fields.text("as") == "sms" { Channel::Sms } else { Channel::Telegram }
}

/// The phone.
pub async fn show(State(pages): State<Pages>, visitor: Visitor, RawQuery(query): RawQuery) -> PageResult {
    let try_out = pages.try_out.as_ref().ok_or(PageError::NotFound)?;
    let trying = Trying::of(&pages, &visitor)?;
    let channel = channel(&Fields::parse(query.unwrap_or_default().as_bytes()));
    pages.desk.file(try_out.say(trying.event.as_ref(), None).await.map_err(broken)?);
    let guests = try_out.guests(trying.event.as_ref()).await.map_err(broken)?;
    let invitee = |guest: &Guest| Invitee {
        line: format!("{} {}", guest.token, guest.last_name),
        name: guest.full_name(),
        group: guest.group_id.as_ref().map(ToString::to_string).unwrap_or_default(),
    };
    let host = visitor.guest.as_ref().filter(|guest| guest.is_admin);
    let event = match host {
        Some(host) => pages.web.app.store.event(&host.event_id).await?,
        None => None,
    };
    let frame = Frame {
        here: "try",
        is_host: host.is_some(),
        event: event.map(|event| event.name).unwrap_or_default(),
        can_try: true,
        who: visitor.guest.as_ref().map(|guest| guest.short_name().to_owned()).unwrap_or_default(),
        ..Frame::outside("Try the bot", &visitor.csrf)
    };
    let shown = Simulator {
        frame,
        is_sms: channel == Channel::Sms,
        lines: pages.desk.lines(&trying.address(channel)),
        guests: guests.iter().take(MOST_GUESTS).map(invitee).collect(),
        is_demo: pages.is_demo,
    };
    Ok(visitor.greet(page(&shown)?))
}

/// Somebody says something, or presses a button.
pub async fn say(State(pages): State<Pages>, form: VisitorForm) -> PageResult {
    let try_out = pages.try_out.as_ref().ok_or(PageError::NotFound)?;
    let trying = Trying::of(&pages, &form.visitor)?;
    let channel = channel(&form.fields);
    let text: String = form.fields.text("text").chars().take(MOST_TEXT).collect();
    let choice = form.fields.text("choice");
    if !text.is_empty() || !choice.is_empty() {
        let address = trying.address(channel);
        let (body, shown) = match choice {
            "" => (typed(&text, channel), text),
            choice => (Body::Choice(choice.to_owned()), form.fields.text("label").to_owned()),
        };
        let line = Line { is_mine: true, html: escaped(&shown), choices: Vec::new(), file: String::new(), segments: 0 };
        pages.desk.add(&address, line);
        let mut random = [0; 8];
        pages.web.app.clock.random(&mut random);
        let inbound = Inbound {
            key: format!("try-out/{}/{}", trying.id, hex::encode(random)),
            from: address,
            body,
            received_at: pages.web.app.clock.now(),
            locale_hint: None,
        };
        pages.desk.file(try_out.say(trying.event.as_ref(), Some(inbound)).await.map_err(broken)?);
    }
    Ok(back_to(channel))
}

fn typed(text: &str, channel: Channel) -> Body {
    match text.strip_prefix("/start").filter(|_| channel == Channel::Telegram) {
        Some(payload) if payload.is_empty() || payload.starts_with(' ') => Body::Start(payload.trim().to_owned()),
        _ => Body::Text(text.to_owned()),
    }
}

/// The chats are emptied and, outside the demo, the copy is made anew.
pub async fn start_again(State(pages): State<Pages>, form: VisitorForm) -> PageResult {
    let try_out = pages.try_out.as_ref().ok_or(PageError::NotFound)?;
    let trying = Trying::of(&pages, &form.visitor)?;
    for channel in [Channel::Telegram, Channel::Sms] {
        pages.desk.forget(&trying.address(channel));
    }
    if let Some(event) = &trying.event {
        try_out.start_again(event).await.map_err(broken)?;
    }
    Ok(back_to(channel(&form.fields)))
}

fn back_to(channel: Channel) -> Response {
    see_other(if channel == Channel::Sms { "/try?as=sms" } else { "/try" })
}

fn broken(_: TryOutError) -> PageError {
    PageError::Unavailable
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bots_markup_is_shown_and_what_guests_wrote_is_text() {
        for (sent, shown) in [
            ("<b>Anna &amp; Ben</b>", "<b>Anna &amp; Ben</b>"),
            ("&lt;b&gt;not bold&lt;/b&gt;", "&lt;b&gt;not bold&lt;/b&gt;"),
            ("&lt;script&gt;alert(1)&lt;/script&gt;", "&lt;script&gt;alert(1)&lt;/script&gt;"),
            ("<script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;"),
            ("<img src=x onerror=alert(1)>", "&lt;img src=x onerror=alert(1)&gt;"),
        ] {
            assert_eq!(with_markup(sent), shown);
        }
    }

    #[test]
    fn old_chats_and_old_lines_are_forgotten() {
        let desk = Desk::default();
        let line = |html: &str| Line {
            is_mine: true,
            html: html.to_owned(),
            choices: Vec::new(),
            file: String::new(),
            segments: 0,
        };
        let chat = |number: usize| Address::console(Channel::Sms, &number.to_string());
        (0..=MOST_CHATS).for_each(|number| desk.add(&chat(number), line("hello")));
        assert!(desk.lines(&chat(0)).is_empty());
        (0..=MOST_LINES).for_each(|number| desk.add(&chat(1), line(&number.to_string())));
        assert_eq!(
            (desk.lines(&chat(1)).len(), desk.lines(&chat(1)).last().unwrap().html.as_str()),
            (MOST_LINES, "200")
        );
    }
}
