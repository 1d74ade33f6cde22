//! Word of what happens in an event, as it happens (server-sent events).

use std::{convert::Infallible, time::Duration};

use axum::{
    extract::State,
    response::sse::{Event as Sent, KeepAlive, Sse},
};
use futures_util::{Stream, stream};

use super::{Pages, session::Host};

/// Other processes commit too, so the store is looked at.
const PAUSE: Duration = Duration::from_secs(2);

/// Says "changed" whenever there is new activity. The page is then loaded again: what it says comes from one place.
pub async fn events(State(pages): State<Pages>, host: Host) -> Sse<impl Stream<Item = Result<Sent, Infallible>>> {
    let since = pages.web.app.clock.now();
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
                let after = last.at + chrono::TimeDelta::milliseconds(1);
                return Some((Ok(Sent::default().event("changed").data("")), (pages, host, after)));
            }
        }
    });
    Sse::new(changes).keep_alive(KeepAlive::default())
}
