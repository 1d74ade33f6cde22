//! A guest's own answer, and the group's.

use axum::{
    Json,
    extract::State,
    http::{HeaderMap, StatusCode},
    response::{IntoResponse, Response},
};
use domain::{
    address::Channel,
    answer::Decision,
    model::{Event, Group, Guest, GuestId, Status},
    rsvp::{Change, MemberRequest, Others, Request, head_count},
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use utoipa::ToSchema;

use super::{
    ApiError, ErrorBody, JsonBody,
    body::Object,
    documented::{BodyErrors, GuestErrors},
    etag::{self, Tagged},
    shapes::{StatusWord, date_of_deadline, time},
};
use crate::{Web, access::GuestAccess};

/// Everything that a guest may see.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RsvpView {
    guest: OwnView,
    /// Everybody in the group, the guest included, by creation.
    group_members: Vec<MemberView>,
    /// How many people are expected of the group.
    family_sum: u32,
    /// The last day on which answers are taken, in the event's zone: `YYYY-MM-DD`, or "" where none is set.
    rsvp_deadline: String,
    event: EventView,
}

/// The guest. `numGuests` is the head count of the whole group; `own` holds the guest's own numbers.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OwnView {
    #[serde(rename = "_id")]
    id: String,
    first_name: String,
    last_name: String,
    status: StatusWord,
    num_guests: u32,
    dietary: String,
    rsvp_date: Option<String>,
    expected_guests: u32,
    group_id: Option<String>,
    own: OwnNumbers,
}

/// The numbers of one record: the person, companions, and people beyond the party size.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OwnNumbers {
    num_guests: u32,
    #[serde(rename = "self")]
    self_coming: bool,
    companions: u32,
    extra: u32,
}

/// A member of the group.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MemberView {
    #[serde(rename = "_id")]
    id: String,
    first_name: String,
    last_name: String,
    expected_guests: u32,
    status: StatusWord,
    num_guests: u32,
    dietary: String,
    #[serde(rename = "self")]
    self_coming: bool,
    companions: u32,
    extra: u32,
}

/// What people are invited to. Times are RFC 3339 in UTC.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct EventView {
    id: String,
    name: String,
    starts_at: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    ends_at: Option<String>,
    time_zone: String,
    /// The first moment at which answers are closed.
    closes_at: String,
    /// Whether answers may change now.
    open: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    place: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    address: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    dress_code: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    schedule: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    host_contact: Option<String>,
}

fn own_view(me: &Guest, group: &Group) -> OwnView {
    OwnView {
        id: me.id.to_string(),
        first_name: me.first_name.clone(),
        last_name: me.last_name.clone(),
        status: me.status.into(),
        num_guests: head_count(group),
        dietary: me.dietary.clone(),
        rsvp_date: me.rsvp_date.map(time),
        expected_guests: me.expected_guests,
        group_id: me.group_id.as_ref().map(ToString::to_string),
        own: OwnNumbers {
            num_guests: me.num_guests,
            self_coming: me.self_coming,
            companions: me.companions_coming,
            extra: me.extra_guests,
        },
    }
}

fn member_view(guest: &Guest) -> MemberView {
    MemberView {
        id: guest.id.to_string(),
        first_name: guest.first_name.clone(),
        last_name: guest.last_name.clone(),
        expected_guests: guest.expected_guests,
        status: guest.status.into(),
        num_guests: guest.num_guests,
        dietary: guest.dietary.clone(),
        self_coming: guest.self_coming,
        companions: guest.companions_coming,
        extra: guest.extra_guests,
    }
}

fn event_view(event: Event, now: chrono::DateTime<chrono::Utc>) -> EventView {
    EventView {
        open: event.is_open(now),
        closes_at: time(event.closes_at()),
        starts_at: time(event.starts_at),
        ends_at: event.ends_at.map(time),
        time_zone: event.time_zone.name().to_owned(),
        id: event.id.0,
        name: event.name,
        place: event.place,
        address: event.address,
        dress_code: event.dress_code,
        schedule: event.schedule,
        host_contact: event.host_contact,
    }
}

/// A change that needs a yes first, as an error's details show it.
pub(super) fn change_json(change: &Change) -> Value {
    match change {
        Change::AnswerOf { before, after } => json!({
            "_id": after.id, "firstName": after.first_name, "lastName": after.last_name,
            "from": answer_json(before), "to": answer_json(after),
        }),
        Change::Extras { before, after } => json!({ "extra": { "from": before, "to": after } }),
    }
}

fn answer_json(guest: &Guest) -> Value {
    json!({
        "status": guest.status.as_str(), "self": guest.self_coming, "companions": guest.companions_coming,
        "numGuests": guest.num_guests,
    })
}

/// Show the answer of the guest and of the group
#[utoipa::path(get, path = "/rsvp", tag = "rsvp", responses(
    (status = 200, body = RsvpView, headers(("etag" = String, description = "the group's version"))),
    GuestErrors,
))]
pub(super) async fn show(State(web): State<Web>, GuestAccess { me, group, event }: GuestAccess) -> Response {
    let view = RsvpView {
        guest: own_view(&me, &group),
        group_members: group.members.iter().map(member_view).collect(),
        family_sum: group.party_size(),
        rsvp_deadline: date_of_deadline(&event),
        event: event_view(event, web.app.clock.now()),
    };
    Tagged(group.version, Json(view)).into_response()
}

/// An answer: a head count (`numGuests`, `groupStatus`), or members by name (`members`, `extra`, `confirmed`).
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RsvpRequest {
    /// How many people come. In a group it must be the party size, or 0 for the guest alone, unless `groupStatus`
    /// says what becomes of the others.
    #[schema(maximum = 100_000)]
    num_guests: Option<u32>,
    /// Of the guest; absent leaves them.
    #[schema(max_length = 500)]
    dietary: Option<String>,
    group_status: Option<GroupStatus>,
    /// Members who are not named stay as they are.
    #[schema(value_type = Option<Vec<MemberBody>>)]
    members: Option<Vec<Object<MemberBody>>>,
    /// People beyond the party size, in all; absent leaves them.
    #[schema(maximum = 20)]
    extra: Option<u32>,
    /// The guest has seen what changes for others, and the extras.
    #[serde(default)]
    confirmed: bool,
}

/// What a head count means for the others of the group.
#[derive(Debug, Clone, Copy, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum GroupStatus {
    /// Everybody comes; whoever is beyond the party size is extra.
    Coming,
    /// The others declined; the guest brings `numGuests`.
    Declined,
}

/// What is said of one member.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MemberBody {
    #[serde(rename = "_id")]
    #[schema(pattern = "^[0-9a-fA-F]{24}$")]
    id: String,
    status: Option<MemberStatus>,
    /// Whether the person themselves comes; absent means yes where `status` is `coming`.
    #[serde(rename = "self")]
    self_coming: Option<bool>,
    /// How many companions come; absent means all where `status` is `coming`.
    #[schema(maximum = 50)]
    companions: Option<u32>,
    #[schema(max_length = 500)]
    dietary: Option<String>,
}

/// A member's answer; `pending` leaves it open.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum MemberStatus {
    Coming,
    Declined,
    Pending,
}

/// The guest, as after the change.
#[derive(Serialize, ToSchema)]
pub struct OwnAnswer {
    guest: OwnView,
}

/// Save an answer
#[utoipa::path(put, path = "/rsvp", tag = "rsvp", request_body = RsvpRequest,
    params(("If-Match" = Option<String>, Header, description = "the group's version as it was shown")),
    responses(
    (status = 200, body = OwnAnswer, headers(("etag" = String, description = "the group's version"))),
    (status = 403, body = ErrorBody, description = "closed: answers are closed; not_in_group: somebody else's guest"),
    (status = 409, body = ErrorBody, description = "count_mismatch: the number does not say who comes; confirm: it \
        changes what others had answered, or brings more people than expected"),
    (status = 412, body = ErrorBody, description = "changed since it was shown"),
    GuestErrors, BodyErrors,
))]
pub(super) async fn save(
    State(web): State<Web>,
    GuestAccess { me, group, .. }: GuestAccess,
    headers: HeaderMap,
    JsonBody(body): JsonBody<RsvpRequest>,
) -> Result<Response, ApiError> {
    let request = request(body, &group)?;
    let shown = etag::expected(&headers)?;
    let party = web.app.save_rsvp(me.id, &request, shown, Channel::Web).await?;
    let me = party.group.member(me.id).ok_or_else(ApiError::unauthenticated)?;
    let answer = OwnAnswer { guest: own_view(me, &party.group) };
    Ok(Tagged(party.group.version, Json(answer)).into_response())
}

fn request(body: RsvpRequest, group: &Group) -> Result<Request, ApiError> {
    match (body.members, body.num_guests) {
        (Some(_), Some(_)) => Err(ApiError::field("members", "give members or numGuests, not both")),
        (Some(members), None) => {
            let members = members.into_iter().enumerate();
            let members = members.map(|(place, Object(member))| of_member(place, member, group));
            Ok(Request::Members {
                members: members.collect::<Result<_, _>>()?,
                extra: body.extra,
                confirmed: body.confirmed,
            })
        }
        (None, Some(count)) => {
            let others = body.group_status.map(|status| match status {
                GroupStatus::Coming => Others::Coming,
                GroupStatus::Declined => Others::Declined,
            });
            Ok(Request::Count { count, dietary: body.dietary, others })
        }
        (None, None) if body.extra.is_some() => {
            Ok(Request::Members { members: Vec::new(), extra: body.extra, confirmed: body.confirmed })
        }
        (None, None) => Err(ApiError::field("numGuests", "missing; say how many people come")),
    }
}

fn of_member(place: usize, member: MemberBody, group: &Group) -> Result<MemberRequest, ApiError> {
    let field = |name: &str| format!("members[{place}].{name}");
    // What is no id at all is nobody of the group.
    let not_in_group = || {
        let message = format!("guest {} is not in your group", member.id);
        ApiError::new(StatusCode::FORBIDDEN, "not_in_group", message).with(json!({ "_id": member.id }))
    };
    let guest: GuestId = member.id.parse().map_err(|_| not_in_group())?;
    let all = group.member(guest).ok_or_else(not_in_group)?.companions();
    let names_people = member.self_coming == Some(true) || member.companions.is_some_and(|companions| companions > 0);
    let decision = match member.status {
        Some(MemberStatus::Coming) => {
            let self_coming = member.self_coming.unwrap_or(true);
            let companions = member.companions.unwrap_or(all);
            if !self_coming && companions == 0 {
                return Err(ApiError::field(field("status"), "nobody of this record comes; say declined"));
            }
            Some(Decision::Who { self_coming, companions })
        }
        Some(_) if names_people => {
            return Err(ApiError::field(field("status"), "somebody of this record comes; say coming"));
        }
        Some(MemberStatus::Declined) => Some(Decision::NOBODY),
        Some(MemberStatus::Pending) => Some(Decision::LeaveOpen),
        None if member.self_coming.is_some() || member.companions.is_some() => {
            return Err(ApiError::field(field("status"), "missing; say coming or declined"));
        }
        None => None,
    };
    Ok(MemberRequest { guest, decision, dietary: member.dietary })
}

impl From<Status> for StatusWord {
    fn from(status: Status) -> Self {
        match status {
            Status::Pending => Self::Pending,
            Status::Coming => Self::Coming,
            Status::Declined => Self::Declined,
            Status::Waitlisted => Self::Waitlisted,
        }
    }
}
