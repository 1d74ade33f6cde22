//! Stories: whole conversations through the program over real HTTP, against fakes of Telegram and Twilio that refuse
//! any call they do not know. Time stands still unless a story moves it, and nothing goes on by itself.
//!
//! `world` is the stage, `chat` what people do and see; `flaky` is a store that can fail, `gate` a port that can
//! refuse. The other modules are the stories, by topic.

#[cfg(test)]
mod chat;
#[cfg(test)]
mod clock;
#[cfg(test)]
mod fixtures;
#[cfg(test)]
mod flaky;
#[cfg(test)]
mod gate;
#[cfg(test)]
mod logs;
#[cfg(test)]
mod process;
#[cfg(test)]
mod world;

#[cfg(test)]
mod accesses;
#[cfg(test)]
mod api;
#[cfg(test)]
mod buttons;
#[cfg(test)]
mod calendar;
#[cfg(test)]
mod crash;
#[cfg(test)]
mod doors;
#[cfg(test)]
mod family;
#[cfg(test)]
mod guest_list;
#[cfg(test)]
mod host_hours;
#[cfg(test)]
mod hosts;
#[cfg(test)]
mod names;
#[cfg(test)]
mod outage;
#[cfg(test)]
mod reach;
#[cfg(test)]
mod repeats;
#[cfg(test)]
mod running;
#[cfg(test)]
mod store_down;
#[cfg(test)]
mod time;
#[cfg(test)]
mod together;
#[cfg(test)]
mod words;
