//! Who gets in, and what is refused at the door.

use axum::http::header;
use chrono::TimeDelta;

use super::*;

#[tokio::test]
async fn a_host_logs_in_and_comes_back_to_where_they_were() {
    let site = Site::new().await;
    let mut browser = site.browser();
    let away = browser.get("/admin/guests?filter=coming&page=2").await;
    assert_eq!(
        (away.status, away.location().as_str()),
        (303, "/admin/login?next=%2Fadmin%2Fguests%3Ffilter%3Dcoming%26page%3D2")
    );
    let location = away.location().to_owned();
    let door = browser.page(&location).await;
    let next = door.field("next").replace("&#38;", "&").replace("&amp;", "&");
    assert_eq!(next, "/admin/guests?filter=coming&page=2");
    let fields = [("next", next.as_str()), ("code", "m9sthe"), ("last_name", "hart")];
    let inside = browser.send("/admin/login", &door, &fields).await;
    assert_eq!((inside.status, inside.location().as_str()), (303, "/admin/guests?filter=coming&page=2"));
    let cookie = inside.header(header::SET_COOKIE);
    for attribute in ["HttpOnly", "SameSite=Lax", "Secure", "Path=/", "Max-Age=43200"] {
        assert!(cookie.contains(attribute), "{cookie}");
    }
    browser.page("/admin").await.shows("Harbour Supper");
    let page = browser.page("/admin").await;
    assert_eq!(browser.send("/logout", &page, &[]).await.status, 303);
    assert_eq!(browser.get("/admin").await.status, 303);
}

#[tokio::test]
async fn the_session_ends_by_time_by_a_new_code_and_by_no_longer_being_a_host() {
    let site = Site::new().await;
    let mut browser = site.host().await;
    let mia = site.guest("M9STHE").await;
    site.world.advance(TimeDelta::hours(13));
    assert_eq!(browser.get("/admin").await.status, 303);
    let mut browser = site.host().await;
    site.world.app.change_code(mia.id, Some("NEWC0DE9"), &app::command_line()).await.unwrap();
    assert_eq!(browser.get("/admin").await.status, 303);
    let mut guest = site.logged_in("/", "H4TR8W", "Santos").await;
    assert_eq!(guest.get("/admin").await.status, 403);
    assert_eq!(guest.get("/").await.status, 200);
}

#[tokio::test]
async fn wrong_code_and_wrong_name_get_the_same_words_and_five_of_them_a_pause() {
    let site = Site::new().await;
    let mut browser = site.browser();
    let door = browser.page("/admin/login").await;
    let mut said = Vec::new();
    for (code, name) in [("NOSUCH", "Hart"), ("M9STHE", "Wrong"), ("NOSUCH", "Wrong"), ("K7QF2M", "Hart"), ("X", "Y")] {
        let page = browser.send("/admin/login", &door, &[("code", code), ("last_name", name)]).await;
        assert_eq!(page.status, 401);
        page.shows(&format!("value=\"{code}\""));
        said.push(page.text.split("role=\"alert\">").nth(1).unwrap().split("</p>").next().unwrap().to_owned());
    }
    said.dedup();
    assert_eq!(said.len(), 1, "{said:?}");
    let page = browser.send("/admin/login", &door, &[("code", "M9STHE"), ("last_name", "Hart")]).await;
    assert_eq!(page.status, 429);
    page.shows("Wait a minute");
    // For programs, in seconds.
    let wait: u64 = page.header(header::RETRY_AFTER).parse().unwrap();
    assert!((1..=60).contains(&wait), "{wait}");
}

#[tokio::test]
async fn whoever_logs_out_of_a_session_that_has_ended_is_out() {
    let site = Site::new().await;
    let mut host = site.host().await;
    let page = host.page("/admin").await;
    site.world.advance(TimeDelta::hours(13));
    let out = host.send("/logout", &page, &[]).await;
    assert_eq!((out.status, out.location().as_str()), (303, "/"));
    assert!(
        out.headers.get_all(header::SET_COOKIE).iter().any(|cookie| cookie.to_str().unwrap().contains("Max-Age=0"))
    );
}

#[tokio::test]
async fn a_login_without_code_or_name_says_which_is_missing() {
    let site = Site::new().await;
    let mut browser = site.browser();
    for door in ["/admin/login", "/"] {
        let page = browser.page(door).await;
        let half = browser.send(door, &page, &[("code", "M9STHE"), ("last_name", " ")]).await;
        assert_eq!(half.status, 422);
        half.shows("value=\"M9STHE\"").shows("<a href=\"#last_name\">Last name: Type the last name");
        assert!(half.text.contains("id=\"about-last_name\"") && !half.text.contains("id=\"about-code\""));
    }
}

/// The hidden fields of the login, with code and name typed.
fn filled_in(page: &Page, code: &'static str, last_name: &'static str) -> Vec<(String, String)> {
    let own = page.form_fields().into_iter().filter(|(name, _)| name != "code" && name != "last_name");
    own.chain([("code", code), ("last_name", last_name)].map(|(name, value)| (name.to_owned(), value.to_owned())))
        .collect()
}

impl Browser<'_> {
    /// Follows a redirect that keeps the method and the fields.
    async fn send_on(&mut self, answer: &Page, page: &Page, fields: &[(String, String)]) -> Page {
        assert_eq!(answer.status, 307, "{}", answer.text);
        let location = answer.location();
        let mut all = vec![("form", page.proof())];
        all.extend(fields.iter().map(|(name, value)| (name.as_str(), value.as_str())));
        self.post_from("same-origin", &location, &all).await
    }
}

#[tokio::test]
async fn what_was_typed_survives_the_end_of_the_session_and_waits_to_be_saved() {
    let site = Site::new().await;
    let mut host = site.host().await;
    let form = host.page("/admin/guests/new").await;
    let typed = [
        ("form", form.proof()),
        ("first_name", "Zoë"),
        ("last_name", "\"><script>"),
        ("expected", "2"),
        ("notes", "sits by\r\nthe window"),
    ];
    site.world.advance(TimeDelta::hours(13));
    let door = host.post_from("same-origin", "/admin/guests/new", &typed).await;
    assert_eq!(door.status, 401);
    door.shows("what you typed is kept on this page");
    assert!(!door.text.contains("<script>"), "{}", door.text);
    // A slip of the pen at the login loses nothing either.
    let unescaped = |page: &Page| -> Vec<(String, String)> {
        let plain = |text: String| text.replace("&#34;", "\"").replace("&#62;", ">").replace("&#60;", "<");
        page.form_fields().into_iter().map(|(name, value)| (name, plain(value))).collect()
    };
    let wrong = [("code", "M9STHE"), ("last_name", "Heart")].map(|(name, value)| (name.to_owned(), value.to_owned()));
    let kept: Vec<_> =
        unescaped(&door).into_iter().filter(|(name, _)| !["code", "last_name"].contains(&name.as_str())).collect();
    let door = host.send_all("/admin/login", &door, &[kept.clone(), wrong.to_vec()].concat()).await;
    assert_eq!(door.status, 401);
    let right = [("code", "M9STHE"), ("last_name", "Hart")].map(|(name, value)| (name.to_owned(), value.to_owned()));
    let fields = [kept, right.to_vec()].concat();
    let inside = host.send_all("/admin/login", &door, &fields).await;
    assert_eq!(inside.location(), "/admin/guests/new");
    let shown = host.send_on(&inside, &door, &fields).await;
    assert_eq!(shown.status, 409);
    shown
        .shows("nothing is saved yet")
        .shows("value=\"Zoë\"")
        .shows("&#34;&#62;&#60;script&#62;")
        .shows("sits by\r\nthe window");
    assert!(
        site.world.app.all_guests(&site.guest("M9STHE").await.event_id).await.unwrap().len() < 7,
        "nobody was added"
    );
    let saved = host.send("/admin/guests/new", &shown, &typed[1..]).await;
    assert_eq!(saved.status, 303, "{}", saved.text);
}

#[tokio::test]
async fn every_form_with_text_in_it_comes_back_after_the_login() {
    let site = Site::new().await;
    let anna = site.guest("K7QF2M").await;
    let own = format!("/admin/guests/{}", anna.id);
    let group = [("guest", anna.id.to_string()), ("here", own.clone())];
    let group: Vec<_> = group.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let dietary = format!("dietary-{}", anna.id);
    let edit = format!("{own}/edit");
    let answer = format!("{own}/answer");
    for (page, action, name, more) in [
        ("/admin/settings", "/admin/settings", "place", vec![]),
        (&edit, &edit, "notes", vec![]),
        (&own, &answer, "dietary", vec![("comes", "yes")]),
        ("/admin/guests", "/admin/groups/put", "new_group", group),
        ("/", "/answer", &dietary, vec![("do", "save")]),
    ] {
        let (at, code, last_name) =
            if action == "/answer" { ("/", "K7QF2M", "Holloway") } else { ("/admin/login", "M9STHE", "Hart") };
        let mut browser = site.logged_in(at, code, last_name).await;
        let form = browser.page(page).await;
        let version = form.field("version").to_owned();
        let mut typed = vec![("form", form.proof()), ("version", &version), (name, "a text of some length")];
        typed.extend(more);
        browser.cookies.remove("convive");
        let door = browser.post_from("same-origin", action, &typed).await;
        assert_eq!(door.status, 401, "{action}");
        let fields = filled_in(&door, code, last_name);
        let inside = browser.send_all(at, &door, &fields).await;
        let shown = browser.send_on(&inside, &door, &fields).await;
        assert_eq!(shown.status, 409, "{action}: {}", shown.text);
        shown.shows("nothing is saved yet").shows("a text of some length");
    }
    assert_eq!(site.guest("K7QF2M").await.dietary, "");
    assert_eq!(site.guest("K7QF2M").await.group_id, anna.group_id);
}

#[tokio::test]
async fn a_form_of_an_older_session_is_shown_again_and_one_of_another_site_is_not() {
    let site = Site::new().await;
    let mut host = site.host().await;
    let form = host.page("/admin/settings").await;
    let (proof, version) = (form.proof().to_owned(), form.field("version").to_owned());
    // Logged out in another tab, and in again.
    site.world.advance(TimeDelta::seconds(5));
    let mut host = site.host().await;
    let typed = [("form", proof.as_str()), ("version", &version), ("place", "The Old Lighthouse"), ("do", "save")];
    let shown = host.post_from("same-origin", "/admin/settings", &typed).await;
    assert_eq!(shown.status, 403);
    shown.shows("value=\"The Old Lighthouse\"").shows("nothing is saved yet");
    let foreign = host.post_from("cross-site", "/admin/settings", &typed).await;
    assert_eq!(foreign.status, 403);
    assert!(!foreign.text.contains("Lighthouse"));
    // Nothing that another site typed waits behind a login.
    let mut stranger = site.browser();
    let sent = stranger.post_from("cross-site", "/admin/settings", &typed).await;
    assert_eq!(sent.location(), "/admin/login?next=&ended=form");
    // Nor does anybody get a form shown with a proof that is not theirs.
    let again = [("form", "made up"), ("again", "/admin/settings"), ("kept.place", "The Old Lighthouse")];
    assert_eq!(host.post_from("same-origin", "/admin/settings", &again).await.status, 403);
    assert!(!host.page("/admin").await.text.contains("Lighthouse"));
}

#[tokio::test]
async fn what_is_too_long_to_be_kept_and_files_are_told_to_be_lost() {
    let site = Site::new().await;
    let mut browser = site.browser();
    let long = "long ".repeat(20_000);
    let sent = browser.post_from("same-origin", "/admin/guests/new", &[("notes", &long)]).await;
    assert_eq!(sent.location(), "/admin/login?next=&ended=form");
    browser.page(&sent.location()).await.shows("what you typed was not saved");
    let door = browser.page("/admin/login").await;
    let sent = browser.upload(&door, "guests.csv", b"last_name\nEk\n").await;
    assert_eq!(sent.location(), "/admin/login?next=&ended=file");
    browser.page(&sent.location()).await.shows("choose the file again");
}

#[tokio::test]
async fn answers_to_forms_stand_at_an_address_and_what_was_done_is_said_once() {
    let site = Site::new().await;
    let anna = site.guest("K7QF2M").await;
    let mut host = site.host().await;
    let settings = host.page("/admin/settings").await;
    let typed = [("form", settings.proof()), ("version", settings.field("version")), ("place", "The Old Lighthouse")];
    let looked = host.post("/admin/settings", &[&typed[..], &[("do", "look")]].concat()).await;
    assert_eq!(looked.status, 303);
    // Reloading it asks nothing and changes nothing; nobody else can read it.
    let address = looked.location();
    assert!(!address.contains("Lighthouse"), "{address}");
    for _ in 0..2 {
        host.page(&address).await.shows("If you save this").shows("value=\"The Old Lighthouse\"");
    }
    site.world.advance(TimeDelta::seconds(5));
    let other = site.host().await.page(&address).await;
    assert!(!other.text.contains("If you save this") && !other.text.contains("Lighthouse"));
    let saved = host.post("/admin/settings", &[&typed[..], &[("do", "save")]].concat()).await;
    assert_eq!(saved.header(header::LOCATION), "/admin");
    host.page("/admin").await.shows("settings are saved");
    assert!(!host.page("/admin").await.text.contains("settings are saved"), "once is enough");
    // Back to what was looked at: it is saved, so there is nothing to look at.
    assert_eq!(host.get(&address).await.location(), "/admin/settings");
    let page = host.page(&format!("/admin/guests/{}", anna.id)).await;
    let deleted = host.post(&format!("/admin/guests/{}/code", anna.id), &[("form", page.proof())]).await;
    host.page(&deleted.location()).await.shows("Make a new code for Anna Holloway?");
    assert_eq!(site.guest("K7QF2M").await.id, anna.id);
    let import = host.page("/admin/import").await;
    let preview = host.upload(&import, "guests.csv", b"last_name\nEk\n").await;
    assert_eq!(preview.header(header::CACHE_CONTROL), "private, no-cache");
    let out = host.send("/logout", &import, &[]).await;
    assert_eq!(out.header("clear-site-data"), "\"cache\"");
}

#[tokio::test]
async fn a_one_time_link_opens_once_and_only_by_its_button() {
    let site = Site::new().await;
    let mia = site.guest("M9STHE").await;
    let link = site.world.app.make_host_link(mia.id).await.unwrap();
    let mut browser = site.browser();
    browser.page(&link).await;
    // Chat apps and mail filters look at links; that does not use them up.
    let door = browser.page(&link).await;
    assert_eq!(browser.get("/admin").await.status, 303);
    let other = site.browser().post(&link, &[("form", "")]).await;
    assert_eq!(other.status, 403);
    assert_eq!(browser.send(&link, &door, &[]).await.location(), "/admin");
    browser.page("/admin").await;
    let mut second = site.browser();
    // It says so at once, without a button that could not work.
    let used = second.get(&link).await;
    assert_eq!(used.status, 400);
    used.shows("This link has been used");
    assert!(!used.text.contains("Open the desk"));
    let own = second.page("/admin/login").await;
    assert_eq!(second.send(&link, &own, &[]).await.status, 400);
    assert_eq!(second.get("/admin").await.status, 303);
}

#[tokio::test]
async fn a_one_time_link_must_be_ours_fresh_and_a_hosts() {
    let site = Site::new().await;
    let mia = site.guest("M9STHE").await;
    let anna = site.guest("K7QF2M").await;
    let make = async |id| {
        let link = site.world.app.make_host_link(id).await.unwrap();
        link.strip_prefix(app::LINK_PATH).unwrap().to_owned()
    };
    let (made, fresh, of_guest) = (make(mia.id).await, make(mia.id).await, make(anna.id).await);
    let forged = made.replace(&mia.id.to_string(), &anna.id.to_string());
    let other_secret = format!("{}.{}", made.rsplit_once('.').unwrap().0, "0".repeat(40));
    for link in [forged.as_str(), &other_secret, &of_guest, "x", "1.2.3", ""] {
        assert_eq!(site.world.app.use_host_link(link).await.unwrap(), None, "{link}");
    }
    let host = site.world.app.use_host_link(&fresh).await.unwrap();
    assert_eq!(host.map(|host| host.id), Some(mia.id));
    site.world.advance(TimeDelta::minutes(10));
    assert_eq!(site.world.app.use_host_link(&made).await.unwrap(), None);
}

#[tokio::test]
async fn no_form_is_taken_from_another_site_and_get_changes_nothing() {
    let site = Site::new().await;
    let anna = site.guest("K7QF2M").await;
    let own = format!("/admin/guests/{}", anna.id);
    let mut host = site.host().await;
    let foreign = site.host().await.page("/admin/guests").await.proof().to_owned();
    let visitor = site.browser().page("/admin/login").await.proof().to_owned();
    let paths = [
        format!("{own}/delete"),
        format!("{own}/edit"),
        format!("{own}/answer"),
        format!("{own}/code"),
        "/admin/groups/put".to_owned(),
        "/admin/guests/new".to_owned(),
        "/admin/guests/bulk".to_owned(),
        "/admin/guests/restore".to_owned(),
        "/admin/settings".to_owned(),
        "/admin/import".to_owned(),
        "/admin/import/confirm".to_owned(),
        "/answer".to_owned(),
        "/logout".to_owned(),
    ];
    // Tokens signed at the same moment for the same person are the same; another moment makes another session.
    assert_eq!(foreign, host.page("/admin/guests").await.proof());
    site.world.advance(TimeDelta::seconds(5));
    let foreign = site.host().await.page("/admin/guests").await.proof().to_owned();
    for path in &paths {
        for proof in [None, Some(""), Some(foreign.as_str()), Some(visitor.as_str())] {
            let fields: Vec<_> = proof.map(|proof| ("form", proof)).into_iter().collect();
            assert_eq!(host.post(path, &fields).await.status, 403, "{path} {proof:?}");
        }
    }
    for path in [format!("{own}/delete"), format!("{own}/code"), "/admin/guests/bulk".to_owned()] {
        assert_eq!(host.get(&path).await.status, 405, "{path}");
    }
    assert_eq!(site.guest("K7QF2M").await, anna);
}

#[tokio::test]
async fn every_page_forbids_inline_script_and_is_not_kept() {
    let site = Site::new().await;
    let mut host = site.host().await;
    for path in ["/admin", "/admin/guests", "/admin/settings", "/admin/nothing", "/admin/login"] {
        let page = host.get(path).await;
        let policy = page.header(header::CONTENT_SECURITY_POLICY);
        assert!(policy.contains("script-src 'self'") && !policy.contains("unsafe"), "{path} {policy}");
        assert_eq!(page.header(header::CACHE_CONTROL), "no-store", "{path}");
        assert!(!page.text.contains("style=") && !page.text.contains("<style"), "{path}");
    }
}

#[tokio::test]
async fn only_guests_of_the_hosts_own_event_are_there() {
    let site = Site::new().await;
    let mut host = site.host().await;
    let anna = site.guest("K7QF2M").await.id.to_string();
    let other = site.guest("X4OTHR").await.id.to_string();
    for (id, status) in
        [(anna.as_str(), 200), (&anna.to_uppercase(), 200), (&other, 404), ("not-an-id", 404), (&"0".repeat(24), 404)]
    {
        assert_eq!(host.get(&format!("/admin/guests/{id}")).await.status, status, "{id}");
    }
}

#[tokio::test]
async fn whoever_typed_into_a_session_that_ended_is_told_so() {
    let site = Site::new().await;
    let mut host = site.host().await;
    let settings = host.page("/admin/settings").await;
    site.world.advance(TimeDelta::hours(13));
    let looked = host.get("/admin/guests").await;
    assert_eq!(looked.location(), "/admin/login?next=%2Fadmin%2Fguests&ended=session");
    host.page(&looked.location()).await.shows("Your session has ended; log in again.");
    let sent = host.send("/admin/settings", &settings, &[("name", "A long new name")]).await;
    assert_eq!((sent.status, sent.location().as_str()), (303, "/admin/login?next=&ended=form"));
    host.page(&sent.location()).await.shows("what you typed was not saved");
    // Browsers drop a cookie whose time is over: the form alone tells.
    host.cookies.remove("convive");
    let sent = host.send("/admin/settings", &settings, &[("name", "A long new name")]).await;
    assert_eq!(sent.location(), "/admin/login?next=&ended=form");
    let mut guest = site.browser();
    let sent = guest.post("/answer", &[("quick", "all")]).await;
    guest.page(&sent.location()).await.shows("what you typed was not saved");
    let new = site.browser().get("/admin").await;
    assert_eq!(new.location(), "/admin/login?next=%2Fadmin");
    assert!(!site.browser().page(&new.location()).await.text.contains("has ended"));
    // The search that finds while one types goes to the login as well.
    let script = include_str!("../../../assets/convive.js");
    assert!(script.contains("moved || !swap(form.dataset.auto, page)"));
}

#[tokio::test]
async fn every_error_is_a_page_and_keeps_hosts_at_their_desk() {
    let site = Site::new().await;
    let anna = site.guest("K7QF2M").await.id;
    let mut host = site.host().await;
    let delete = format!("/admin/guests/{anna}/delete");
    for (path, status) in [
        ("/nope", 404),
        ("/admin/nope", 404),
        ("/admin/guests/not-an-id", 404),
        ("/admin/guests/%FF", 400),
        ("/admin/guests/bulk", 405),
        (&delete, 405),
        ("/logout", 405),
    ] {
        let page = host.get(path).await;
        assert_eq!(page.status, status, "{path}");
        assert!(page.header(header::CONTENT_TYPE).starts_with("text/html"), "{path}");
        page.shows("That did not work").shows("To the start");
        let at_desk = path.starts_with("/admin");
        assert_eq!(page.text.contains("aria-label=\"Pages\""), at_desk, "{path}");
        assert_eq!(page.text.contains("href=\"/admin\">To the start"), at_desk, "{path}");
        assert_eq!(page.header(header::ALLOW), if status == 405 { "POST" } else { "" }, "{path}");
    }
    site.browser().get("/admin/nope").await.shows("href=\"/\">To the start");
    let guests = host.page("/admin/guests").await;
    let id = anna.to_string();
    let unknown = host.send("/admin/guests/bulk", &guests, &[("guest", &id), ("do", "fly")]).await;
    assert_eq!(unknown.status, 400);
    unknown.shows("Choose what to do").shows("href=\"/admin\">To the start");
    for path in ["/api", "/api/", "/api/nope"] {
        let answer = site.browser().get(path).await;
        assert_eq!((answer.status, answer.header(header::CONTENT_TYPE)), (404, "application/json"), "{path}");
    }
}
