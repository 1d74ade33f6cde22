//! Where a request comes from.

use std::{
    convert::Infallible,
    net::{IpAddr, Ipv4Addr, SocketAddr},
};

use axum::{
    extract::{ConnectInfo, FromRequestParts},
    http::{HeaderMap, request::Parts},
};

use crate::Web;

/// What proxies add: every client that they were told of, then the one that they saw.
const FORWARDED_FOR: &str = "x-forwarded-for";

/// The client's address: the socket's, unless that is a trusted proxy's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Client(pub IpAddr);

impl FromRequestParts<Web> for Client {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, web: &Web) -> Result<Self, Infallible> {
        let peer = parts.extensions.get::<ConnectInfo<SocketAddr>>().map(|peer| peer.0.ip());
        let peer = peer.unwrap_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED));
        Ok(Self(client(peer, &parts.headers, &*web.is_trusted_proxy)))
    }
}

/// The last address in the chain that no trusted proxy vouches for. What a client writes itself stands further in
/// front, and counts for nothing.
fn client(peer: IpAddr, headers: &HeaderMap, is_trusted: &(dyn Fn(IpAddr) -> bool + Send + Sync)) -> IpAddr {
    let mut client = peer;
    let lines = headers.get_all(FORWARDED_FOR).into_iter().rev();
    let hops = lines.filter_map(|line| line.to_str().ok()).flat_map(|line| line.rsplit(','));
    for hop in hops {
        if !is_trusted(client) {
            break;
        }
        match hop.trim().parse() {
            Ok(address) => client = address,
            Err(_) => break,
        }
    }
    client
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_trusted_proxies_are_believed() {
        let is_trusted = |address: IpAddr| address.to_string().starts_with("10.") || address.is_loopback();
        for (peer, forwarded, expected) in [
            ("203.0.113.9", vec![], "203.0.113.9"),
            ("203.0.113.9", vec!["198.51.100.1"], "203.0.113.9"),
            ("10.0.0.1", vec![], "10.0.0.1"),
            ("10.0.0.1", vec!["198.51.100.1"], "198.51.100.1"),
            ("10.0.0.1", vec!["1.2.3.4, 198.51.100.1"], "198.51.100.1"),
            ("10.0.0.1", vec!["1.2.3.4, 198.51.100.1,10.0.0.2"], "198.51.100.1"),
            ("10.0.0.1", vec!["1.2.3.4", "198.51.100.1, 10.0.0.2"], "198.51.100.1"),
            ("127.0.0.1", vec!["2001:db8::1"], "2001:db8::1"),
            ("10.0.0.1", vec!["1.2.3.4, nonsense"], "10.0.0.1"),
        ] {
            let mut headers = HeaderMap::new();
            for line in &forwarded {
                headers.append(FORWARDED_FOR, line.parse().unwrap());
            }
            let found = client(peer.parse().unwrap(), &headers, &is_trusted);
            assert_eq!(found.to_string(), expected, "{peer} {forwarded:?}");
        }
    }
}
