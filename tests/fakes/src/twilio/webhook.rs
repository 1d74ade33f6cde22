//! Requests that Twilio makes, signed as Twilio signs them.

use std::collections::{BTreeMap, BTreeSet};

use base64::{Engine, prelude::BASE64_STANDARD};
use hmac::{Hmac, KeyInit, Mac};
use sha1::Sha1;

use super::{FakeTwilio, Text};

/// One request, ready to be posted to wherever the program listens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Webhook {
    /// Path and query.
    pub target: String,
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

impl Webhook {
    /// A form, signed with the fake account's token for the public address.
    #[must_use]
    pub fn form(public_url: &str, target: &str, fields: &[(&str, &str)]) -> Self {
        let mut body = form_urlencoded::Serializer::new(String::new());
        body.extend_pairs(fields);
        let signature = signature(&format!("{public_url}{target}"), fields);
        Self {
            target: target.to_owned(),
            headers: vec![
                ("Content-Type".to_owned(), "application/x-www-form-urlencoded; charset=UTF-8".to_owned()),
                ("X-Twilio-Signature".to_owned(), signature),
            ],
            body: body.finish().into_bytes(),
        }
    }
}

fn signature(url: &str, fields: &[(&str, &str)]) -> String {
    let mut sorted: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (name, value) in fields {
        sorted.entry(name).or_default().insert(value);
    }
    let mut text = url.to_owned();
    for (name, values) in sorted {
        values.into_iter().for_each(|value| text.extend([name, value]));
    }
    let Ok(mut mac) = Hmac::<Sha1>::new_from_slice(FakeTwilio::AUTH_TOKEN.as_bytes()) else { return String::new() };
    mac.update(text.as_bytes());
    BASE64_STANDARD.encode(mac.finalize().into_bytes())
}

impl FakeTwilio {
    /// Somebody writes to our number. Like Twilio, the fake takes a lone STOP or START word for itself, too, unless
    /// told to leave them alone.
    #[must_use]
    pub fn inbound(&self, public_url: &str, from: &str, to: &str, body: &str) -> Webhook {
        self.inbound_with(public_url, from, to, body, &[])
    }

    /// The same with more fields.
    #[must_use]
    pub fn inbound_with(&self, public_url: &str, from: &str, to: &str, body: &str, more: &[(&str, &str)]) -> Webhook {
        let created_at = (self.shared.now)();
        let mut state = self.shared.state();
        let sid = state.next_sid();
        match body.trim().to_ascii_uppercase().as_str() {
            _ if state.keywords_are_left => {}
            "STOP" | "STOPALL" | "UNSUBSCRIBE" | "CANCEL" | "END" | "QUIT" | "REVOKE" | "OPTOUT" => {
                state.opted_out.insert(from.to_owned());
            }
            "START" | "YES" | "UNSTOP" => {
                state.opted_out.remove(from);
            }
            _ => {}
        }
        if !state.forgets {
            state.texts.push(Text {
                sid: sid.clone(),
                inbound: true,
                to: to.to_owned(),
                from: Some(from.to_owned()),
                messaging_service_sid: None,
                body: body.to_owned(),
                created_at,
                status: "received".to_owned(),
                error: None,
                status_callback: None,
            });
        }
        drop(state);
        let mut fields = vec![
            ("ToCountry", "GB"),
            ("SmsMessageSid", sid.as_str()),
            ("NumMedia", "0"),
            ("SmsSid", sid.as_str()),
            ("SmsStatus", "received"),
            ("Body", body),
            ("To", to),
            ("NumSegments", "1"),
            ("MessageSid", sid.as_str()),
            ("AccountSid", Self::ACCOUNT_SID),
            ("From", from),
            ("ApiVersion", "2010-04-01"),
        ];
        fields.retain(|(name, _)| more.iter().all(|(other, _)| other != name));
        fields.extend_from_slice(more);
        Webhook::form(public_url, "/webhooks/sms/twilio", &fields)
    }

    /// Twilio reports what became of a text, at the address given with it.
    ///
    /// # Panics
    /// When there is no such text, or it came without an address.
    #[must_use]
    pub fn status_callback(&self, sid: &str, status: &str, error: Option<u32>) -> Webhook {
        let mut state = self.shared.state();
        let text = state.texts.iter_mut().find(|text| text.sid == sid);
        let Some(text) = text else { panic!("there is no text {sid}") };
        status.clone_into(&mut text.status);
        text.error = error;
        let Some(url) = text.status_callback.clone() else { panic!("the text {sid} has no StatusCallback") };
        let error = error.map(|code| code.to_string());
        let mut fields = vec![
            ("MessageSid", sid),
            ("SmsSid", sid),
            ("MessageStatus", status),
            ("SmsStatus", status),
            ("To", text.to.as_str()),
            ("AccountSid", Self::ACCOUNT_SID),
            ("ApiVersion", "2010-04-01"),
        ];
        let pool = "+447700900999".to_owned();
        fields.push(("From", text.from.as_ref().unwrap_or(&pool)));
        if let Some(service) = &text.messaging_service_sid {
            fields.push(("MessagingServiceSid", service));
        }
        if let Some(code) = &error {
            fields.push(("ErrorCode", code));
        }
        let path = url.find("://").and_then(|scheme| url[scheme + 3..].find('/').map(|path| scheme + 3 + path));
        let (public_url, target) = url.split_at(path.unwrap_or(url.len()));
        Webhook::form(public_url, target, &fields)
    }
}
