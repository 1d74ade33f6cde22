//! The pages as browsers meet them: requests to the router, with cookies and forms.

mod doors;
mod guest;
mod host;
mod lists;
mod messages;

use std::{collections::BTreeMap, sync::Arc};

use axum::{
    Router,
    body::Body,
    http::{HeaderMap, Method, Request, header},
};
use chrono::TimeDelta;
use domain::model::Guest;
use tower::ServiceExt;

use super::{Pages, router};
use crate::{api::tests::World, tokens::Lifetimes};

/// The site, with the events and guests of the API's tests.
struct Site {
    world: World,
    router: Router,
}

impl Site {
    async fn new() -> Self {
        let world = World::new().await;
        let pages = Pages {
            web: world.web.clone(),
            lifetimes: Lifetimes { guest: TimeDelta::days(30), host: TimeDelta::hours(12) },
            is_https: true,
            public_url: Some("https://rsvp.example.org".to_owned()),
            bot_link: Arc::new(|_| None),
            try_out: None,
            desk: Arc::default(),
            is_demo: false,
            stopping: tokio::sync::watch::channel(false).1,
        };
        Self { world, router: router(pages) }
    }

    fn browser(&self) -> Browser<'_> {
        Browser { site: self, cookies: BTreeMap::new() }
    }

    /// A browser in which the host Mia Hart is logged in.
    async fn host(&self) -> Browser<'_> {
        self.logged_in("/admin/login", "M9STHE", "Hart").await
    }

    async fn logged_in(&self, door: &str, code: &str, last_name: &str) -> Browser<'_> {
        let mut browser = self.browser();
        let page = browser.get(door).await;
        let answer = browser.send(door, &page, &[("code", code), ("last_name", last_name)]).await;
        assert_eq!(answer.status, 303, "{}", answer.text);
        browser
    }

    async fn guest(&self, code: &str) -> Guest {
        self.world.app.guest_with_code(None, code).await.unwrap()
    }
}

/// A browser: keeps cookies, sends forms as a page holds them.
struct Browser<'a> {
    site: &'a Site,
    cookies: BTreeMap<String, String>,
}

struct Page {
    status: u16,
    headers: HeaderMap,
    text: String,
}

impl Page {
    /// The proof in the page's forms.
    fn proof(&self) -> &str {
        self.field("form")
    }

    /// The value of the first hidden field of this name.
    fn field(&self, name: &str) -> &str {
        let mark = format!("name=\"{name}\" value=\"");
        self.text.split_once(&mark).and_then(|(_, rest)| rest.split_once('"')).map_or("", |(value, _)| value)
    }

    /// What a browser would send of the page's inputs and choices, if nothing were touched (no text that is escaped).
    fn form_fields(&self) -> Vec<(String, String)> {
        let attribute = |tag: &str, name: &str| {
            let (_, value) = tag.split_once(&format!("{name}=\""))?;
            Some(value.split_once('"')?.0.to_owned())
        };
        let inputs = self.text.split("<input ").skip(1).filter_map(|rest| rest.split_once('>')).map(|(tag, _)| tag);
        let inputs = inputs.filter(|tag| !tag.contains("\"checkbox\"") || tag.contains(" checked"));
        let inputs =
            inputs.filter_map(|tag| Some((attribute(tag, "name")?, attribute(tag, "value").unwrap_or_default())));
        let areas = self.text.split("<textarea ").skip(1).filter_map(|rest| {
            let (tag, rest) = rest.split_once('>')?;
            Some((attribute(tag, "name")?, rest.split_once("</textarea>")?.0.to_owned()))
        });
        let choices = self.text.split("<select ").skip(1).filter_map(|rest| {
            let chosen = rest.split_once("</select>")?.0.split_once(" selected>")?.1;
            Some((attribute(rest, "name")?, chosen.split_once('<')?.0.to_owned()))
        });
        inputs.filter(|(name, _)| name != "form").chain(areas).chain(choices).collect()
    }

    fn header(&self, name: impl header::AsHeaderName) -> &str {
        self.headers.get(name).map(|value| value.to_str().unwrap()).unwrap_or_default()
    }

    /// Where it sends the browser, with what that page will say was done.
    fn location(&self) -> String {
        let location = self.header(header::LOCATION);
        let cookies = self.headers.get_all(header::SET_COOKIE).iter().filter_map(|cookie| cookie.to_str().ok());
        let done = cookies.filter_map(|cookie| cookie.strip_prefix("convive-done=")?.split(';').next()).next();
        match done.filter(|done| !done.is_empty()) {
            Some(done) if location.contains('?') => format!("{location}&{done}"),
            Some(done) => format!("{location}?{done}"),
            None => location.to_owned(),
        }
    }

    /// That the page shows this text.
    #[track_caller]
    fn shows(&self, text: &str) -> &Self {
        assert!(self.text.contains(text), "no {text:?} in ({}) {}", self.status, self.text);
        self
    }
}

impl Browser<'_> {
    async fn request(&mut self, request: Request<Body>) -> Page {
        let response = self.site.router.clone().oneshot(request).await.unwrap();
        for cookie in response.headers().get_all(header::SET_COOKIE) {
            let pair = cookie.to_str().unwrap().split(';').next().unwrap();
            let (name, value) = pair.split_once('=').unwrap();
            self.cookies.insert(name.to_owned(), value.to_owned());
        }
        let (parts, body) = response.into_parts();
        let body = axum::body::to_bytes(body, usize::MAX).await.unwrap();
        Page {
            status: parts.status.as_u16(),
            headers: parts.headers,
            text: String::from_utf8_lossy(&body).into_owned(),
        }
    }

    fn build(&self, method: Method, path: &str) -> axum::http::request::Builder {
        let cookies: Vec<String> = self.cookies.iter().map(|(name, value)| format!("{name}={value}")).collect();
        Request::builder().method(method).uri(path).header(header::COOKIE, cookies.join("; "))
    }

    async fn get(&mut self, path: &str) -> Page {
        let request = self.build(Method::GET, path).body(Body::empty()).unwrap();
        self.request(request).await
    }

    /// A page that must be there.
    async fn page(&mut self, path: &str) -> Page {
        let page = self.get(path).await;
        assert_eq!(page.status, 200, "{path}: {}", page.text);
        page
    }

    async fn post(&mut self, path: &str, fields: &[(&str, &str)]) -> Page {
        self.post_from("none", path, fields).await
    }

    /// The same with what browsers say of where a form comes from.
    async fn post_from(&mut self, site: &str, path: &str, fields: &[(&str, &str)]) -> Page {
        let body = form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish();
        let request = self
            .build(Method::POST, path)
            .header("sec-fetch-site", site)
            .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded")
            .body(Body::from(body))
            .unwrap();
        self.request(request).await
    }

    /// Sends a form of `page`, with its proof. An answer at an address of its own is gone to, as browsers do.
    async fn send(&mut self, path: &str, page: &Page, fields: &[(&str, &str)]) -> Page {
        let mut all = vec![("form", page.proof())];
        all.extend_from_slice(fields);
        let answer = self.post(path, &all).await;
        if answer.header(header::LOCATION).contains("?shown=") { self.get(&answer.location()).await } else { answer }
    }

    /// Sends a form of `page` as it stands, the proof included.
    async fn send_all(&mut self, path: &str, page: &Page, fields: &[(String, String)]) -> Page {
        let fields: Vec<_> = fields.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        self.send(path, page, &fields).await
    }

    async fn upload(&mut self, page: &Page, name: &str, content: &[u8]) -> Page {
        let mut body = format!(
            "--edge\r\nContent-Disposition: form-data; name=\"form\"\r\n\r\n{}\r\n--edge\r\nContent-Disposition: \
             form-data; name=\"file\"; filename=\"{name}\"\r\nContent-Type: text/csv\r\n\r\n",
            page.proof()
        )
        .into_bytes();
        body.extend_from_slice(content);
        body.extend_from_slice(b"\r\n--edge--\r\n");
        let request = self
            .build(Method::POST, "/admin/import")
            .header(header::CONTENT_TYPE, "multipart/form-data; boundary=edge")
            .body(Body::from(body))
            .unwrap();
        self.request(request).await
    }
}
