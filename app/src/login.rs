//! Logging in on the web: code and last name, counted by the client's address.

use std::net::{IpAddr, Ipv6Addr};

use chrono::TimeDelta;
use domain::{
    address::{Address, Channel},
    lockout,
    model::Guest,
    name,
};
use store::{Commit, Committed, LoadRequest, StoreError};

use crate::{App, typed_code};

const MOST_TRIES: usize = 50;
/// Bits of an IPv6 address that tell one customer from another; the rest is theirs to choose.
const NETWORK_BITS: u32 = 64;

/// Why nobody is logged in.
#[derive(Debug, thiserror::Error)]
pub enum LoginError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("gave up after too many simultaneous attempts; try again")]
    Contention,
    /// The code, the name, or both: nobody may learn which.
    #[error("code and last name do not fit")]
    Wrong,
    /// Too many attempts from there, or everywhere.
    #[error("too many attempts; wait before you try again")]
    Wait(TimeDelta),
}

/// Where a web client's attempts are counted.
fn address_of(client: IpAddr) -> Address {
    let client = match client.to_canonical() {
        IpAddr::V6(v6) => {
            let network = v6.to_bits() & (u128::MAX << (Ipv6Addr::BITS - NETWORK_BITS));
            IpAddr::V6(Ipv6Addr::from_bits(network))
        }
        v4 => v4,
    };
    Address { channel: Channel::Web, own: None, id: client.to_string() }
}

impl App {
    /// Finds the guest whom code and last name fit. A failure is counted as one in a chat would be.
    ///
    /// # Errors
    /// When they do not fit, or too many did not lately.
    pub async fn log_in_on_web(&self, client: IpAddr, code: &str, last_name: &str) -> Result<Guest, LoginError> {
        let address = address_of(client);
        // One after the other, or many at once would all be tried before the first is counted.
        let _turn = self.lock_of(&address).lock().await;
        for _ in 0..MOST_TRIES {
            let now = self.clock.now();
            let codes = vec![typed_code(code.trim())];
            let request = LoadRequest { address: address.clone(), codes, failures_since: now - TimeDelta::minutes(1) };
            let mut loaded = self.store.load(&request).await?;
            let attempts = &mut loaded.conversation.attempts;
            if let Some(wait) = lockout::wait(attempts, false, loaded.recent_failures, now) {
                return Err(LoginError::Wait(wait));
            }
            let mut named = loaded.candidates.iter().filter_map(|candidate| candidate.group.member(candidate.guest));
            let fits = |guest: &&Guest| {
                loaded.events.contains_key(&guest.event_id)
                    && name::same_person(&guest.first_name, &guest.last_name, last_name)
            };
            if let Some(guest) = named.find(fits) {
                self.accesses.note(guest.id, now, true);
                return Ok(guest.clone());
            }
            attempts.fail(now);
            let commit =
                Commit { at: now, conversations: vec![loaded.conversation], login_failed: true, ..Commit::default() };
            if self.store.commit(commit).await? == Committed::Done {
                return Err(LoginError::Wrong);
            }
        }
        Err(LoginError::Contention)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clients_are_told_apart_by_what_they_cannot_choose() {
        for (client, counted) in [
            ("203.0.113.9", "web:203.0.113.9"),
            ("::ffff:203.0.113.9", "web:203.0.113.9"),
            ("2001:db8:1:2:3:4:5:6", "web:2001:db8:1:2::"),
            ("2001:db8:1:2::1", "web:2001:db8:1:2::"),
            ("2001:db8:1:3::1", "web:2001:db8:1:3::"),
        ] {
            let address = address_of(client.parse().unwrap());
            assert_eq!(address.to_string(), counted);
            assert_eq!(counted.parse(), Ok(address));
        }
    }
}
