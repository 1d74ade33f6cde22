//! The guest list, for hosts: their own event's guests only.

use app::HostError;
use axum::{
    Json,
    extract::{FromRequestParts, Path, State},
    http::{HeaderMap, StatusCode, request::Parts},
    response::{IntoResponse, Response},
};
use domain::{
    activity::Actor,
    address::Channel,
    guest_change::Edit,
    guest_file::{self, Column, LineError, ReadDefaults, Row},
    model::{Event, GroupId, Guest, GuestId, Status},
    name,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{
    ApiError, ErrorBody, JsonBody, body,
    documented::{BodyErrors, HostErrors},
    etag::{self, Tagged},
    shapes::GuestView,
};
use crate::{Web, access::HostAccess};

const LONGEST_GROUP: usize = 100;

pub(super) fn host(me: &Guest) -> Actor {
    Actor { guest_id: Some(me.id), channel: Channel::Web, as_host: true }
}

/// The guest that a path names. What is no id names nobody.
pub(super) struct GuestPath(pub GuestId);

impl FromRequestParts<Web> for GuestPath {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, web: &Web) -> Result<Self, ApiError> {
        let Path(id) = Path::<String>::from_request_parts(parts, web).await.map_err(|_| ApiError::no_such_guest())?;
        id.parse().map(Self).map_err(|_| ApiError::no_such_guest())
    }
}

/// The API's word for a column of the guest file.
pub(super) fn field_of(column: Column) -> &'static str {
    match column {
        Column::Code => "token",
        Column::FirstName => "firstName",
        Column::LastName => "lastName",
        Column::Group => "groupId",
        Column::Expected => "expectedGuests",
        Column::Phone => "phone",
        Column::Language => "locale",
        Column::Admin => "isAdmin",
        Column::Notes => "notes",
    }
}

/// One guest.
#[derive(Serialize, ToSchema)]
pub struct GuestAnswer {
    guest: GuestView,
}

fn one(guest: Guest) -> Tagged<Json<GuestAnswer>> {
    Tagged(guest.version, Json(GuestAnswer { guest: guest.into() }))
}

/// Show a guest
#[utoipa::path(get, path = "/admin/guests/{id}", tag = "guests",
    params(("id" = String, Path, description = "24 hexadecimal digits")), responses(
    (status = 200, body = GuestAnswer, headers(("etag" = String, description = "the record's version"))),
    (status = 404, body = ErrorBody, description = "there is no such guest at the host's event"),
    HostErrors,
))]
pub(super) async fn show(
    State(web): State<Web>,
    HostAccess { event, .. }: HostAccess,
    GuestPath(id): GuestPath,
) -> Result<Response, ApiError> {
    Ok(one(web.app.guest_of(&event.id, id).await?).into_response())
}

/// A guest who is not there yet.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct NewGuest {
    #[serde(default)]
    #[schema(max_length = 100)]
    first_name: String,
    #[schema(min_length = 1, max_length = 100)]
    last_name: String,
    /// The personal code; absent or empty draws one.
    #[schema(max_length = 64)]
    token: Option<String>,
    is_admin: Option<bool>,
    #[schema(minimum = 1, maximum = 50)]
    expected_guests: Option<u32>,
}

/// Add a guest
#[utoipa::path(post, path = "/admin/guests", tag = "guests", request_body = NewGuest, responses(
    (status = 201, body = GuestAnswer, headers(("etag" = String, description = "the record's version"))),
    (status = 409, body = ErrorBody, description = "another guest has this code"),
    HostErrors, BodyErrors,
))]
pub(super) async fn create(
    State(web): State<Web>,
    HostAccess { me, event }: HostAccess,
    JsonBody(body): JsonBody<NewGuest>,
) -> Result<Response, ApiError> {
    let expected = body.expected_guests.map(|expected| expected.to_string());
    let mut values =
        vec![(Column::FirstName, Some(body.first_name.as_str())), (Column::LastName, Some(body.last_name.as_str()))];
    values.extend(expected.as_deref().map(|expected| (Column::Expected, Some(expected))));
    values.extend(body.is_admin.map(|is_admin| (Column::Admin, Some(yes_or_no(is_admin)))));
    let code = body.token.as_deref().filter(|code| !name::clean(code).is_empty());
    values.extend(code.map(|code| (Column::Code, Some(code))));
    let row = read(&values, &event)?;
    let (guest, _) = web.app.add_guest(&event.id, row, &host(&me)).await?;
    let guest = Guest { version: 1, ..guest };
    Ok((StatusCode::CREATED, one(guest)).into_response())
}

fn yes_or_no(yes: bool) -> &'static str {
    if yes { "yes" } else { "no" }
}

fn read(values: &[(Column, Option<&str>)], event: &Event) -> Result<Row, ApiError> {
    let defaults = ReadDefaults { region: event.phone_region.as_deref() };
    guest_file::read_values(values, &defaults).map_err(|errors: Vec<LineError>| HostError::Rows(errors).into())
}

/// Fields to change; absent ones stay.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct GuestChanges {
    #[schema(max_length = 100)]
    first_name: Option<String>,
    #[schema(min_length = 1, max_length = 100)]
    last_name: Option<String>,
    /// Alone, `coming` brings everybody of the record unless somebody comes already; the others bring nobody.
    status: Option<EditableStatus>,
    /// How many people of the record come. Alone, 0 declines; else the person, then companions, then extras.
    #[schema(maximum = 70)]
    num_guests: Option<u32>,
    #[schema(max_length = 500)]
    dietary: Option<String>,
    is_admin: Option<bool>,
    #[schema(minimum = 1, maximum = 50)]
    expected_guests: Option<u32>,
    /// With country code, or as dialled in the event's region; `null` or "" clears it.
    #[serde(default, deserialize_with = "body::nullable")]
    #[schema(value_type = Option<String>)]
    phone: Option<Option<String>>,
    /// `null` or "" clears them.
    #[serde(default, deserialize_with = "body::nullable")]
    #[schema(value_type = Option<String>, max_length = 2000)]
    notes: Option<Option<String>>,
    /// A language tag; `null` or "" clears it.
    #[serde(default, deserialize_with = "body::nullable")]
    #[schema(value_type = Option<String>)]
    locale: Option<Option<String>>,
}

/// An answer as a host may set it. (The waiting list fills itself.)
#[derive(Debug, Clone, Copy, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum EditableStatus {
    Pending,
    Coming,
    Declined,
    Waitlisted,
}

impl From<EditableStatus> for Status {
    fn from(status: EditableStatus) -> Self {
        match status {
            EditableStatus::Pending => Self::Pending,
            EditableStatus::Coming => Self::Coming,
            EditableStatus::Declined => Self::Declined,
            EditableStatus::Waitlisted => Self::Waitlisted,
        }
    }
}

/// Change a guest
#[utoipa::path(put, path = "/admin/guests/{id}", tag = "guests", request_body = GuestChanges,
    params(
        ("id" = String, Path, description = "24 hexadecimal digits"),
        ("If-Match" = Option<String>, Header, description = "the record's version as it was shown"),
    ),
    responses(
    (status = 200, body = GuestAnswer, headers(("etag" = String, description = "the record's version"))),
    (status = 404, body = ErrorBody, description = "there is no such guest at the host's event"),
    (status = 409, body = ErrorBody, description = "last_host: an event that has hosts keeps one"),
    (status = 412, body = ErrorBody, description = "changed since it was shown"),
    HostErrors, BodyErrors,
))]
pub(super) async fn change(
    State(web): State<Web>,
    HostAccess { me, event }: HostAccess,
    GuestPath(id): GuestPath,
    headers: HeaderMap,
    JsonBody(body): JsonBody<GuestChanges>,
) -> Result<Response, ApiError> {
    let edit = edit(body, &event)?;
    let shown = etag::expected(&headers)?;
    Ok(one(web.app.edit_guest(&event.id, id, &edit, shown, &host(&me)).await?).into_response())
}

fn edit(body: GuestChanges, event: &Event) -> Result<Edit, ApiError> {
    let expected = body.expected_guests.map(|expected| expected.to_string());
    let given = [
        (Column::FirstName, body.first_name.as_ref().map(|text| Some(text.as_str()))),
        (Column::LastName, body.last_name.as_ref().map(|text| Some(text.as_str()))),
        (Column::Expected, expected.as_deref().map(Some)),
        (Column::Admin, body.is_admin.map(|is_admin| Some(yes_or_no(is_admin)))),
        (Column::Phone, body.phone.as_ref().map(Option::as_deref)),
        (Column::Language, body.locale.as_ref().map(Option::as_deref)),
        (Column::Notes, body.notes.as_ref().map(Option::as_deref)),
    ];
    let values: Vec<_> = given.into_iter().filter_map(|(column, value)| Some((column, value?))).collect();
    Ok(Edit {
        record: read(&values, event)?,
        status: body.status.map(Status::from),
        num_guests: body.num_guests,
        dietary: body.dietary,
    })
}

/// What came of it.
#[derive(Serialize, ToSchema)]
pub struct Deleted {
    deleted: bool,
}

/// Delete a guest
#[utoipa::path(delete, path = "/admin/guests/{id}", tag = "guests",
    params(
        ("id" = String, Path, description = "24 hexadecimal digits"),
        ("If-Match" = Option<String>, Header, description = "the record's version as it was shown"),
    ),
    responses(
    (status = 200, body = Deleted),
    (status = 404, body = ErrorBody, description = "there is no such guest at the host's event"),
    (status = 409, body = ErrorBody, description = "last_host: an event that has hosts keeps one"),
    (status = 412, body = ErrorBody, description = "changed since it was shown"),
    HostErrors,
))]
pub(super) async fn delete(
    State(web): State<Web>,
    HostAccess { me, event }: HostAccess,
    GuestPath(id): GuestPath,
    headers: HeaderMap,
) -> Result<Json<Deleted>, ApiError> {
    web.app.delete_guest(&event.id, id, etag::expected(&headers)?, &host(&me)).await?;
    Ok(Json(Deleted { deleted: true }))
}

/// The group to join.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct GroupChoice {
    #[schema(min_length = 1, max_length = 100)]
    group_id: String,
}

/// Everybody in the group.
#[derive(Serialize, ToSchema)]
pub struct GroupAnswer {
    guests: Vec<GuestView>,
}

/// Put a guest into a group
#[utoipa::path(put, path = "/admin/guests/{id}/group", tag = "guests", request_body = GroupChoice,
    params(
        ("id" = String, Path, description = "24 hexadecimal digits"),
        ("If-Match" = Option<String>, Header, description = "the record's version as it was shown"),
    ),
    responses(
    (status = 200, body = GroupAnswer),
    (status = 404, body = ErrorBody, description = "there is no such guest at the host's event"),
    (status = 412, body = ErrorBody, description = "changed since it was shown"),
    HostErrors, BodyErrors,
))]
pub(super) async fn join(
    State(web): State<Web>,
    HostAccess { me, event }: HostAccess,
    GuestPath(id): GuestPath,
    headers: HeaderMap,
    JsonBody(body): JsonBody<GroupChoice>,
) -> Result<Json<GroupAnswer>, ApiError> {
    let group = name::clean(&body.group_id);
    if group.is_empty() {
        return Err(ApiError::field("groupId", "is empty; to leave the group, use DELETE"));
    }
    if group.chars().count() > LONGEST_GROUP {
        return Err(ApiError::field("groupId", format!("is longer than {LONGEST_GROUP} characters; shorten it")));
    }
    let shown = etag::expected(&headers)?;
    let (_, guests) = web.app.move_guest(&event.id, id, Some(GroupId(group)), shown, &host(&me)).await?;
    Ok(Json(GroupAnswer { guests: guests.into_iter().map(GuestView::from).collect() }))
}

/// The guest, and who is still in the group that they left.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LeftGroup {
    guest: GuestView,
    remaining_group: Vec<GuestView>,
}

/// Take a guest out of their group
#[utoipa::path(delete, path = "/admin/guests/{id}/group", tag = "guests",
    params(
        ("id" = String, Path, description = "24 hexadecimal digits"),
        ("If-Match" = Option<String>, Header, description = "the record's version as it was shown"),
    ),
    responses(
    (status = 200, body = LeftGroup),
    (status = 404, body = ErrorBody, description = "there is no such guest at the host's event"),
    (status = 412, body = ErrorBody, description = "changed since it was shown"),
    HostErrors,
))]
pub(super) async fn leave(
    State(web): State<Web>,
    HostAccess { me, event }: HostAccess,
    GuestPath(id): GuestPath,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let shown = etag::expected(&headers)?;
    let (guest, remaining) = web.app.move_guest(&event.id, id, None, shown, &host(&me)).await?;
    let version = guest.version;
    let remaining_group = remaining.into_iter().map(GuestView::from).collect();
    Ok(Tagged(version, Json(LeftGroup { guest: guest.into(), remaining_group })).into_response())
}

/// Give a guest a new code; the old one stops working
#[utoipa::path(post, path = "/admin/guests/{id}/token", tag = "guests",
    params(("id" = String, Path, description = "24 hexadecimal digits")), responses(
    (status = 200, body = GuestAnswer, headers(("etag" = String, description = "the record's version"))),
    (status = 404, body = ErrorBody, description = "there is no such guest at the host's event"),
    HostErrors,
))]
pub(super) async fn new_code(
    State(web): State<Web>,
    HostAccess { me, event }: HostAccess,
    GuestPath(id): GuestPath,
) -> Result<Response, ApiError> {
    let guest = web.app.guest_of(&event.id, id).await?;
    let guest = web.app.change_code(guest.id, None, &host(&me)).await?;
    Ok(one(Guest { version: guest.version + 1, ..guest }).into_response())
}
