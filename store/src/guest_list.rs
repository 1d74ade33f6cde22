//! The guest list as a host looks at it.

use domain::model::{EventId, Guest, Status};

/// Which guests of an event are listed, and in which order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GuestQuery {
    pub event: EventId,
    pub status: Option<Status>,
    /// Only those who never logged in.
    pub never_logged_in: bool,
    /// Only those whose record says what somebody cannot eat.
    pub with_dietary_needs: bool,
    /// Only those who are logged in somewhere, and whom no message reaches anywhere they are.
    pub unreachable: bool,
    /// Only those with all of these words in names or code; see [`domain::name::search_words`]. Empty: everybody.
    pub search: String,
    pub sort: GuestSort,
    pub descending: bool,
    /// So many are left out at the beginning.
    pub skip: u64,
    /// At most so many are listed.
    pub limit: u32,
}

impl GuestQuery {
    /// The first `limit` guests of an event, by creation.
    #[must_use]
    pub fn all_of(event: EventId, limit: u32) -> Self {
        Self {
            event,
            status: None,
            never_logged_in: false,
            with_dietary_needs: false,
            unreachable: false,
            search: String::new(),
            sort: GuestSort::Created,
            descending: false,
            skip: 0,
            limit,
        }
    }
}

/// What a list of guests is sorted by; then by creation, then by id. Without the time or with nothing comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum GuestSort {
    #[default]
    Created,
    /// Last name, first name, in comparison form.
    Name,
    /// By the stored word: coming, declined, pending, waitlisted.
    Status,
    /// When they answered last.
    Answered,
    LastLogin,
}

/// A page of the guest list.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct GuestList {
    /// How many there are on all pages together.
    pub total: u64,
    pub guests: Vec<Guest>,
}

/// An event in numbers. Records are guests with a code; people are those whom they stand for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Statistics {
    /// Records.
    pub invited: u64,
    /// People whom the records stand for, whatever they answered.
    pub expected: u64,
    /// Records that are coming.
    pub coming: u64,
    /// People who are coming, extras included.
    pub head_count: u64,
    /// Records that have not answered.
    pub pending: u64,
    pub declined: u64,
    pub waitlisted: u64,
    /// Records that are coming and say what somebody cannot eat.
    pub with_allergies: u64,
    /// Records whose guest never logged in.
    pub never_logged_in: u64,
}
