//! STOP and its kin, by SMS.
//!
//! Carriers and providers take texts that are exactly one of these words (design: `twilio.provider_keywords`);
//! what only means the same is ours to honour. The lists are Twilio's
//! (<https://www.twilio.com/docs/messaging/tutorials/advanced-opt-out>).

use std::collections::HashSet;

use super::turn::Turn;
use crate::{
    activity::Happening,
    address::{Channel, Style},
    lexicon::{Lexicon, normalise},
    message::{Body, Say},
    wording,
};

pub(super) const STOP: [&str; 8] = ["stop", "stopall", "unsubscribe", "cancel", "end", "quit", "revoke", "optout"];
/// What other languages say, which not every provider knows.
const STOP_ELSEWHERE: [&str; 7] = ["stopp", "avsluta", "arret", "baja", "alto", "parar", "sair"];
pub(super) const START: [&str; 2] = ["start", "unstop"];
const YES: &str = "yes";
const HELP: [&str; 2] = ["help", "info"];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Keyword {
    Stop,
    Start,
    Help,
}

/// Handles the message as far as it is about being written to at all; `true` when nothing is left to do.
pub(super) fn take(turn: &mut Turn<'_>) -> bool {
    if turn.style != Style::Texts {
        return false;
    }
    let Body::Text(text) = &turn.inbound.body else { return turn.conversation.opted_out };
    let by_provider = turn.context.policy.provider_keywords && turn.inbound.from.channel == Channel::Sms;
    let word = text.trim().to_lowercase();
    if turn.conversation.opted_out && word == YES {
        opt_in(turn);
        return false;
    }
    let exact = exact(&word);
    match (exact.or_else(|| meant(text)), turn.conversation.opted_out) {
        (Some(Keyword::Stop), already) => {
            if !already {
                turn.conversation.opted_out = true;
                turn.note_of_active(Happening::OptedOut);
                if !(by_provider && exact.is_some()) {
                    turn.tell(vec![Say::new("opted-out")]);
                }
            }
            true
        }
        (Some(Keyword::Start), already) => {
            if already {
                opt_in(turn);
            }
            if !(by_provider && exact.is_some()) {
                turn.ask_again(vec![Say::new("opted-in")]);
            }
            true
        }
        (_, true) => true,
        (Some(Keyword::Help), false) => by_provider,
        (None, false) => false,
    }
}

fn opt_in(turn: &mut Turn<'_>) {
    turn.conversation.opted_out = false;
    turn.note_of_active(Happening::OptedIn);
}

/// The word alone, as a provider would take it.
fn exact(word: &str) -> Option<Keyword> {
    match word {
        word if STOP.contains(&word) => Some(Keyword::Stop),
        word if START.contains(&word) => Some(Keyword::Start),
        word if HELP.contains(&word) => Some(Keyword::Help),
        _ => None,
    }
}

/// The same meant in other words: "stop." or "please stop".
fn meant(text: &str) -> Option<Keyword> {
    let text = normalise(text);
    let word = text.as_str();
    let listed = |list: fn(&Lexicon) -> &HashSet<String>| {
        wording::languages().any(|language| list(&language.lexicon).contains(word))
    };
    if STOP.contains(&word) || STOP_ELSEWHERE.contains(&word) || listed(|lexicon| &lexicon.stop) {
        Some(Keyword::Stop)
    } else if START.contains(&word) || listed(|lexicon| &lexicon.start) {
        Some(Keyword::Start)
    } else {
        None
    }
}
