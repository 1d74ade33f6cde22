//! Ranges of network addresses.

use std::{fmt, net::IpAddr, str::FromStr};

/// One address, or all that share its first bits: `10.0.0.0/8`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IpRange {
    network: IpAddr,
    bits: u32,
}

/// The text is not an address range.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not an address or a range such as 127.0.0.1, 10.0.0.0/8 or fd00::/8")]
pub struct NotARange;

impl IpRange {
    /// Whether an address lies in the range. An IPv4 address that arrived over IPv6 (`::ffff:10.0.0.1`) counts as
    /// what it is.
    #[must_use]
    pub fn contains(&self, address: IpAddr) -> bool {
        match (self.network, address.to_canonical()) {
            (IpAddr::V4(network), IpAddr::V4(address)) => {
                same_bits(network.to_bits().into(), address.to_bits().into(), self.bits, u32::BITS)
            }
            (IpAddr::V6(network), IpAddr::V6(address)) => {
                same_bits(network.to_bits(), address.to_bits(), self.bits, u128::BITS)
            }
            _ => false,
        }
    }
}

fn same_bits(a: u128, b: u128, bits: u32, width: u32) -> bool {
    (a ^ b).checked_shr(width - bits).unwrap_or(0) == 0
}

impl FromStr for IpRange {
    type Err = NotARange;

    fn from_str(text: &str) -> Result<Self, NotARange> {
        let (address, bits) = match text.split_once('/') {
            Some((address, bits)) => (address, Some(bits)),
            None => (text, None),
        };
        let network: IpAddr = address.trim().parse().map_err(|_| NotARange)?;
        let width = if network.is_ipv4() { u32::BITS } else { u128::BITS };
        let bits = match bits {
            Some(bits) => bits.trim().parse().ok().filter(|bits| *bits <= width).ok_or(NotARange)?,
            None => width,
        };
        Ok(Self { network, bits })
    }
}

impl fmt::Display for IpRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.network, self.bits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_contain_their_addresses_and_no_others() {
        for (range, address, expected) in [
            ("127.0.0.1", "127.0.0.1", true),
            ("127.0.0.1", "127.0.0.2", false),
            ("10.0.0.0/8", "10.255.3.4", true),
            ("10.0.0.0/8", "11.0.0.0", false),
            ("0.0.0.0/0", "203.0.113.9", true),
            ("0.0.0.0/0", "2001:db8::1", false),
            ("fd00::/8", "fdff::1", true),
            ("fd00::/8", "fe80::1", false),
            ("::/0", "2001:db8::1", true),
            ("10.0.0.0/8", "::ffff:10.1.2.3", true),
        ] {
            let range: IpRange = range.parse().unwrap();
            assert_eq!(range.contains(address.parse().unwrap()), expected, "{range} {address}");
        }
    }

    #[test]
    fn what_is_no_range_is_refused() {
        for text in ["", "proxy.example", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0/8", "::1/129", "10.0.0.0/8/8"] {
            assert_eq!(text.parse::<IpRange>(), Err(NotARange), "{text}");
        }
    }
}
