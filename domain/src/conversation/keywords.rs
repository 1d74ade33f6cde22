//! STOP and its kin, by SMS.
//!
//! Carriers and providers take texts that are exactly one of these words (design: `twilio.provider_keywords`);
//! what only means the same is ours to honour. The lists are Twilio's
//! (<https://www.twilio.com/docs/messaging/tutorials/advanced-opt-out>).

use super::turn::Turn;
use crate::{
    activity::Happening,
    address::{Channel, Style},
    lexicon::{Phrase, normalise},
    message::{Body, Say},
    wording,
};

const STOP: [&str; 8] = ["stop", "stopall", "unsubscribe", "cancel", "end", "quit", "revoke", "optout"];
/// What other languages say, which not every provider knows.
const STOP_ELSEWHERE: [&str; 7] = ["stopp", "avsluta", "arret", "baja", "alto", "parar", "sair"];
const START: [&str; 2] = ["start", "unstop"];
const YES: &str = "yes";
const HELP: [&str; 2] = ["help", "info"];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Keyword {
    Stop,
    Start,
    /// Also an answer.
    Yes,
    Help,
}

/// Handles the message as far as it is about being written to at all; `true` when nothing is left to do.
pub(super) fn take(turn: &mut Turn<'_>) -> bool {
    if turn.style != Style::Texts {
        return false;
    }
    let is_out = turn.conversation.opted_out;
    let Body::Text(text) = &turn.inbound.body else { return is_out };
    let word = text.trim().to_lowercase();
    let exact = exact(&word);
    // What providers take, they also answer.
    let ours = exact.is_none() || !turn.context.policy.provider_keywords || turn.inbound.from.channel != Channel::Sms;
    match exact.or_else(|| meant(text)) {
        Some(Keyword::Stop) => {
            if is_out {
                return true;
            }
            if exact.is_none() && turn.is_awaited_name(text) {
                return false;
            }
            turn.conversation.opted_out = true;
            turn.note_of_active(Happening::OptedOut);
            if ours {
                turn.tell(vec![Say::new("opted-out")]);
            }
            true
        }
        Some(Keyword::Start) if is_out => {
            opt_in(turn);
            if ours {
                turn.ask_again(vec![Say::new("opted-in")]);
            }
            true
        }
        Some(Keyword::Yes) if is_out => {
            opt_in(turn);
            if ours {
                turn.tell(vec![Say::new("opted-in")]);
            }
            false
        }
        _ if is_out => true,
        Some(Keyword::Start) if exact.is_some() => {
            if ours {
                turn.start("");
            }
            true
        }
        Some(Keyword::Help) => !ours,
        // Somebody who gets our texts says something else with "start again".
        Some(Keyword::Start | Keyword::Yes) | None => false,
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
        YES => Some(Keyword::Yes),
        _ => None,
    }
}

/// The same meant in other words: "stop." or "please stop".
fn meant(text: &str) -> Option<Keyword> {
    let normal = normalise(text);
    let word = normal.as_str();
    let is = |phrase| wording::languages().any(|language| language.lexicon.is(phrase, word));
    let means_stop = || wording::languages().any(|language| language.lexicon.means_stop(word));
    if STOP.contains(&word) || STOP_ELSEWHERE.contains(&word) || means_stop() {
        Some(Keyword::Stop)
    } else if START.contains(&word) || is(Phrase::Start) {
        Some(Keyword::Start)
    } else {
        (word == YES).then_some(Keyword::Yes)
    }
}
