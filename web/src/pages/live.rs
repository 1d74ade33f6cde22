//! Word of what happens in an event, as it happens (server-sent events).

use std::{convert::Infallible, time::Duration};

use axum::{
    extract::State,
    response::sse::{Event as Sent, KeepAlive, Sse},
};
use chrono::{DateTime, TimeDelta, Utc};
use futures_util::{Stream, stream};

use super::{Pages, session::Host};

/// Other processes commit too, so the store is looked at.
const PAUSE: Duration = Duration::from_secs(2);

/// From when a page was made to when it asks for news, at most.
const PAGE_IS_MADE: TimeDelta = TimeDelta::seconds(5);

/// Says "changed" whenever there is new activity. The page is then loaded again: what it says comes from one place.
pub async fn events(State(pages): State<Pages>, host: Host) -> Sse<impl Stream<Item = Result<Sent, Infallible>>> {
    // What happened between the page and this is part of it.
    let since = pages.web.app.clock.now() - PAGE_IS_MADE;
    let changes = stream::unfold((pages, host, since), |(mut pages, host, since)| async move {
        loop {
            tokio::select! {
                () = tokio::time::sleep(PAUSE) => {}
                // An error means that whoever would say so is gone, which is the end as well.
                _ = pages.stopping.wait_for(|is_stopping| *is_stopping) => return None,
            }
            // A host who is one no more is told nothing; the next request sends them to the door.
            let is_host = pages
                .web
                .app
                .store
                .guest(host.guest.id)
                .await
                .is_ok_and(|guest| guest.is_some_and(|guest| guest.is_admin));
            if !is_host {
                return None;
            }
            let Ok(activity) = pages.web.app.store.activity(&host.event.id, since).await else { continue };
            if let Some(last) = activity.last() {
                let after = last.at + TimeDelta::milliseconds(1);
                return Some((Ok(word_of(last.at)), (pages, host, after)));
            }
        }
    });
    Sse::new(changes).keep_alive(KeepAlive::default())
}

/// Browsers discard an event without data, so it carries the time.
fn word_of(at: DateTime<Utc>) -> Sent {
    Sent::default().event("changed").data(at.to_rfc3339())
}

#[cfg(test)]
mod tests {
    use axum::response::IntoResponse;

    use super::*;

    #[tokio::test]
    async fn every_event_has_data_or_browsers_discard_it() {
        let sent = stream::iter([Ok::<_, Infallible>(word_of(DateTime::UNIX_EPOCH))]);
        let body = axum::body::to_bytes(Sse::new(sent).into_response().into_body(), usize::MAX).await.unwrap();
        assert_eq!(String::from_utf8_lossy(&body), "event: changed\ndata: 1970-01-01T00:00:00+00:00\n\n");
    }
}
