//! The command line as a host uses it: the real program, in a folder of its own.

#[cfg(test)]
mod check;
#[cfg(test)]
mod events;
#[cfg(test)]
mod guests;
#[cfg(test)]
mod home;
#[cfg(test)]
mod keys;
#[cfg(test)]
mod killed;
#[cfg(test)]
mod mongo;
#[cfg(test)]
mod reminders;
#[cfg(test)]
mod serve;
#[cfg(test)]
mod usage;
