//! One request to a provider: sent once, its answer read whole, its failure told without the address.

use std::time::Duration;

use reqwest::{Client, RequestBuilder, Response, header::RETRY_AFTER, redirect};
use url::Url;

/// Long enough for a slow network, short enough to fail before the whole request times out: a connection that was
/// never made is a message certainly not sent.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
/// Kept short: a request written to a connection that the other side is just closing would be in doubt.
const IDLE_CONNECTION: Duration = Duration::from_secs(30);

/// What came back.
pub(crate) struct Answer {
    pub status: u16,
    /// Seconds.
    pub retry_after: Option<u64>,
    /// `None` when it broke off or was too large.
    pub body: Option<Vec<u8>>,
}

/// Nothing came back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unanswered {
    /// There was no connection: the other side has certainly not seen the request.
    NeverConnected,
    /// Nobody knows what the other side has seen.
    TimedOut,
    /// The same.
    BrokeOff,
}

/// A client for one provider, or whoever else is asked at this address.
///
/// # Errors
/// When the system's certificates cannot be used.
pub fn client(api_url: &Url) -> reqwest::Result<Client> {
    if rustls::crypto::CryptoProvider::get_default().is_none() {
        // An error means that another thread was quicker.
        let _ = rustls::crypto::ring::default_provider().install_default();
    }
    let mut builder = Client::builder()
        .connect_timeout(CONNECT_TIMEOUT)
        .pool_idle_timeout(IDLE_CONNECTION)
        // A redirect would carry the credentials to somebody else.
        .redirect(redirect::Policy::none())
        .user_agent(concat!("convive/", env!("CARGO_PKG_VERSION")));
    if api_url.scheme() == "http" {
        // A server next door. The system's certificates are not needed, and may be missing; nor is a proxy's help.
        builder = builder.tls_certs_only(std::iter::empty()).no_proxy();
    }
    builder.build()
}

/// Sends a request and reads at most `largest` bytes of the answer.
pub(crate) async fn exchange(request: RequestBuilder, timeout: Duration, largest: usize) -> Result<Answer, Unanswered> {
    let response = request.timeout(timeout).send().await.map_err(|error| {
        if error.is_connect() || error.is_builder() {
            Unanswered::NeverConnected
        } else if error.is_timeout() {
            Unanswered::TimedOut
        } else {
            Unanswered::BrokeOff
        }
    })?;
    let retry_after = response.headers().get(RETRY_AFTER).and_then(|value| value.to_str().ok()?.trim().parse().ok());
    Ok(Answer { status: response.status().as_u16(), retry_after, body: read_body(response, largest).await })
}

async fn read_body(mut response: Response, largest: usize) -> Option<Vec<u8>> {
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.ok()? {
        if body.len() + chunk.len() > largest {
            return None;
        }
        body.extend_from_slice(&chunk);
    }
    Some(body)
}
