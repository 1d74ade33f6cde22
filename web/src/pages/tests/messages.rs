//! What goes to guests: failures sent again, changes told, reminders looked at before they go.

use domain::{
    address::Address,
    conversation::{Ask, Conversation},
    notice::Notice,
};
use store::{Claim, Commit, Committed, Content, EntryStatus, Initiated, NewEntry, Outcome, Rendered, Settlement};

use super::*;

impl Site {
    /// The guest with this code is logged in at this chat.
    async fn in_chat(&self, code: &str, address: &Address) -> Guest {
        let guest = self.guest(code).await;
        let conversation =
            Conversation { logins: vec![guest.id], active: Some(guest.id), ..Conversation::new(address.clone()) };
        self.commit(Commit { conversations: vec![conversation], ..Commit::default() }).await;
        guest
    }

    async fn commit(&self, commit: Commit) {
        let commit = Commit { at: self.world.app.clock.now(), ..commit };
        assert_eq!(self.world.app.store.commit(commit).await.unwrap(), Committed::Done);
    }

    /// A reply to this chat that the provider refuses for good.
    async fn failed(&self, id: &str, address: &Address, text: &str, only_asks: bool) {
        self.failed_at(id, address, text, only_asks.then_some(1)).await;
    }

    async fn failed_at(&self, id: &str, address: &Address, text: &str, question: Option<u64>) {
        let text = Rendered { text: text.to_owned(), ..Rendered::default() };
        let content = Content::Reply { version: 1, place: 0, text };
        let entry =
            NewEntry { id: id.to_owned(), address: address.clone(), content, question, only_asks: question.is_some() };
        self.commit(Commit { outbox: vec![entry], ..Commit::default() }).await;
        let (store, now) = (&self.world.app.store, self.world.app.clock.now());
        let claim = Claim {
            now,
            by: "test".to_owned(),
            lease_until: now + TimeDelta::seconds(30),
            channels: vec![address.channel],
            replies: 10,
            initiated: 10,
        };
        assert_eq!(store.claim(claim).await.unwrap().len(), 1);
        let outcome = Outcome::Failed { reason: "chat not found".to_owned() };
        let settled = Settlement { id: id.to_owned(), by: "test".to_owned(), at: now, outcome };
        store.settle(vec![settled]).await.unwrap();
    }
}

#[tokio::test]
async fn what_failed_is_sent_again_and_only_once() {
    let site = Site::new().await;
    let chat = Address::telegram(7_100_000_001);
    site.in_chat("H4TR8W", &chat).await;
    site.failed("saved", &chat, "Saved: <b>Maria</b> comes.", false).await;
    site.failed("asked", &chat, "How many?", true).await;
    let mut host = site.host().await;
    let page = host.page("/admin/deliveries").await;
    page.shows("Maria Santos").shows("not delivered: chat not found").shows("Saved: Maria comes.");
    let address = chat.to_string();
    let again = |id| [("id", id), ("address", address.as_str())];
    let sent = host.send("/admin/deliveries/again", &page, &again("saved")).await;
    assert_eq!((sent.status, sent.location().as_str()), (303, "/admin/deliveries?done=again"));
    let entries = site.world.app.store.entries_to(&chat).await.unwrap();
    let pending: Vec<_> = entries.iter().filter(|entry| entry.status == EntryStatus::Pending).collect();
    assert_eq!(pending.len(), 1);
    assert_eq!(pending[0].text.as_ref().unwrap().text, "Saved: <b>Maria</b> comes.");
    host.page("/admin/deliveries").await.shows("Sent again.");
    for (id, why) in [("saved", "sent again already"), ("asked", "at another by now"), ("other", "no such message")] {
        let refused = host.send("/admin/deliveries/again", &page, &again(id)).await;
        assert_eq!(refused.status, 409, "{id}");
        refused.shows(why);
    }
}

#[tokio::test]
async fn a_question_that_is_open_still_goes_again() {
    let site = Site::new().await;
    let chat = Address::telegram(7_100_000_001);
    site.in_chat("H4TR8W", &chat).await;
    let mut conversation = site.world.app.store.conversation(&chat).await.unwrap().unwrap();
    (conversation.dialogue.asked, conversation.dialogue.open) = (2, Some(Ask::HowMany));
    site.commit(Commit { conversations: vec![conversation], ..Commit::default() }).await;
    site.failed_at("old", &chat, "How?", Some(1)).await;
    site.failed_at("open", &chat, "How many?", Some(2)).await;
    let mut host = site.host().await;
    host.page("/admin").await.shows("2 messages may not have arrived");
    let page = host.page("/admin/deliveries").await;
    let address = chat.to_string();
    let again = |id| [("id", id), ("address", address.as_str())];
    host.send("/admin/deliveries/again", &page, &again("old")).await.shows("at another by now");
    assert_eq!(host.send("/admin/deliveries/again", &page, &again("open")).await.status, 303);
    let entries = site.world.app.store.entries_to(&chat).await.unwrap();
    let pending: Vec<_> = entries.iter().filter(|entry| entry.status == EntryStatus::Pending).collect();
    assert_eq!(pending.iter().map(|entry| (entry.question, entry.only_asks)).collect::<Vec<_>>(), [(Some(2), true)]);
    host.page("/admin").await.shows("1 message may not have arrived");
}

#[tokio::test]
async fn who_says_no_has_answered() {
    let site = Site::new().await;
    let mut host = site.host().await;
    host.page("/admin").await.shows("Nobody has answered yet.");
    let path = format!("/admin/guests/{}", site.guest("H4TR8W").await.id);
    let page = host.page(&path).await;
    let answer = [("version", page.field("version")), ("comes", "no")];
    assert_eq!(host.send(&format!("{path}/answer"), &page, &answer).await.status, 303);
    let overview = host.page("/admin").await;
    overview.shows(": 1 answer.");
    assert!(!overview.text.contains("Nobody has answered yet"));
}

#[tokio::test]
async fn nobody_who_asked_not_to_be_written_to_is_and_no_other_event_is_touched() {
    let site = Site::new().await;
    let (chat, foreign) = (Address::telegram(7_100_000_001), Address::telegram(7_100_000_002));
    site.in_chat("H4TR8W", &chat).await;
    site.in_chat("X4OTHR", &foreign).await;
    site.failed("saved", &chat, "Saved.", false).await;
    site.failed("theirs", &foreign, "Secret.", false).await;
    let conversation = site.world.app.store.conversation(&chat).await.unwrap().unwrap();
    site.commit(Commit { conversations: vec![Conversation { opted_out: true, ..conversation }], ..Commit::default() })
        .await;
    let mut host = site.host().await;
    let page = host.page("/admin/deliveries").await;
    assert!(!page.text.contains("Secret."));
    for (id, address, why) in [("saved", &chat, "asked not to be"), ("theirs", &foreign, "no such message")] {
        let fields = [("id", id), ("address", &address.to_string())];
        host.send("/admin/deliveries/again", &page, &fields).await.shows(why);
    }
}

#[tokio::test]
async fn a_change_of_place_is_told_to_those_who_come() {
    let site = Site::new().await;
    let chat = Address::telegram(7_100_000_001);
    let maria = site.in_chat("H4TR8W", &chat).await;
    let mut host = site.host().await;
    for code in ["H4TR8W", "P9DX3C"] {
        let path = format!("/admin/guests/{}", site.guest(code).await.id);
        let page = host.page(&path).await;
        let answer = [("version", page.field("version")), ("comes", "yes")];
        assert_eq!(host.send(&format!("{path}/answer"), &page, &answer).await.status, 303);
    }
    let page = host.page("/admin/settings").await;
    page.shows("Messages that will go").shows("Reminder, 7 days before");
    let version = page.field("version").to_owned();
    let moved = |what| [("version", version.as_str()), ("place", "The Old Lighthouse"), ("do", what)];
    let effect = host.send("/admin/settings", &page, &moved("look")).await;
    effect.shows("Those who come can be told, 1 in Telegram: Maria Santos.");
    effect.shows("They come, and cannot be written to: Maria Santos.").shows("Save and tell those who come");
    let told = host.send("/admin/settings", &page, &moved("tell")).await;
    assert_eq!(told.location(), "/admin?done=told&count=1");
    host.page(&told.location()).await.shows("1 message is on the way").shows("The Old Lighthouse");
    let entries = site.world.app.store.entries_to(&chat).await.unwrap();
    let notices: Vec<_> = entries.iter().filter_map(|entry| Some(&entry.initiated.as_ref()?.notice)).collect();
    let mia = site.guest("M9STHE").await;
    assert_eq!(
        notices,
        [&Notice::AnsweredFor { guests: vec![maria.id], by: mia.id }, &Notice::EventChanged { guests: vec![maria.id] },]
    );
}

#[tokio::test]
async fn the_reminders_that_a_change_makes_are_shown_before_it_is_saved() {
    let site = Site::new().await;
    let mut host = site.host().await;
    let page = host.page("/admin/settings").await;
    let fields = [("version", page.field("version")), ("reminders.days", "5,2"), ("do", "look")];
    let effect = host.send("/admin/settings", &page, &fields).await;
    effect.shows("Messages that will go").shows("Reminder, 5 days before").shows("nobody; not to 6 with no address");
    assert!(!effect.text.contains("Reminder, 7 days before"));
}

#[tokio::test]
async fn messages_about_somebody_else_are_not_shown_as_a_guests_own() {
    let site = Site::new().await;
    let chat = Address::telegram(7_100_000_009);
    let anna = site.guest("K7QF2M").await;
    let santos = [site.guest("H4TR8W").await, site.guest("P9DX3C").await];
    let logins = vec![anna.id, santos[0].id];
    let conversation = Conversation { logins, active: Some(anna.id), ..Conversation::new(chat.clone()) };
    site.commit(Commit { conversations: vec![conversation], ..Commit::default() }).await;
    site.failed("reply", &chat, "Written to whoever holds the phone", false).await;
    let about = |id: &str, guest: &Guest| {
        let initiated = Initiated {
            event: guest.event_id.clone(),
            notice: Notice::Reminder { guests: vec![guest.id] },
            obeys_mute: false,
            hours: None,
            not_after: None,
            decided_at: site.world.app.clock.now(),
        };
        NewEntry {
            id: id.to_owned(),
            address: chat.clone(),
            content: Content::Initiated(initiated),
            question: None,
            only_asks: false,
        }
    };
    let outbox = vec![about("to-anna", &anna), about("to-maria", &santos[0]), about("to-other", &santos[1])];
    site.commit(Commit { outbox, ..Commit::default() }).await;
    let mut host = site.host().await;
    for (guest, other) in [(&anna, "Maria Santos"), (&santos[0], "Anna Holloway")] {
        let page = host.page(&format!("/admin/guests/{}", guest.id)).await;
        page.shows("Messages (2)").shows(&format!("to this address (shared with {other})"));
    }
}
