-- Never edited once released: what changes later is a new file.
--
-- Times are milliseconds since 1970 UTC, guest ids the 12 bytes of an ObjectId, addresses as they are written.
-- Tables whose rows are long keep a rowid, so that their indexes stay small; short ones do without.

CREATE TABLE events (
    id      TEXT PRIMARY KEY,
    version INTEGER NOT NULL,
    body    TEXT NOT NULL -- JSON
) STRICT;

CREATE TABLE guests (
    row              INTEGER PRIMARY KEY,
    id               BLOB NOT NULL UNIQUE,
    event_id         TEXT NOT NULL,
    group_id         TEXT,
    group_key        TEXT NOT NULL,
    first_name       TEXT NOT NULL,
    last_name        TEXT NOT NULL,
    token            TEXT NOT NULL UNIQUE,
    token_key        TEXT NOT NULL,
    name_key         TEXT NOT NULL, -- what lists are searched and sorted by
    status           TEXT NOT NULL,
    num_guests       INTEGER NOT NULL,
    dietary          TEXT NOT NULL,
    expected_guests  INTEGER NOT NULL,
    is_admin         INTEGER NOT NULL,
    rsvp_date        INTEGER,
    last_login       INTEGER,
    last_access      INTEGER,
    created_at       INTEGER NOT NULL,
    self_coming      INTEGER NOT NULL,
    companions       INTEGER NOT NULL,
    extras           INTEGER NOT NULL,
    phone            TEXT,
    locale           TEXT,
    notes            TEXT,
    answered_by      BLOB,
    answered_channel TEXT,
    version          INTEGER NOT NULL
) STRICT;
CREATE INDEX guests_by_token_key ON guests (token_key);
CREATE INDEX guests_by_group ON guests (group_key, created_at, id);
CREATE INDEX guests_by_event ON guests (event_id, created_at, id);
CREATE INDEX guests_by_name ON guests (event_id, name_key, created_at, id);
CREATE INDEX hosts_by_event ON guests (event_id, created_at, id) WHERE is_admin = 1;

-- Never deleted while the event exists: a group that is gone and comes back must not have an old version again.
CREATE TABLE groups (
    key     TEXT PRIMARY KEY,
    version INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE conversations (
    row                INTEGER PRIMARY KEY,
    address            TEXT NOT NULL UNIQUE,
    version            INTEGER NOT NULL,
    logins             BLOB NOT NULL, -- guest ids, one after the other
    active             BLOB,
    locale             TEXT,
    opted_out          INTEGER NOT NULL,
    muted              INTEGER NOT NULL,
    unreachable        INTEGER NOT NULL,
    last_used          INTEGER,
    attempts           TEXT, -- JSON; none when nothing has failed
    dialogue           TEXT NOT NULL, -- JSON
    -- The newest question sent there, the entry that carries it first, and when that was first tried to be sent;
    -- the time is copied here when the entry goes. So an attempt writes nothing here, and raises no version.
    question           INTEGER,
    question_entry     INTEGER,
    question_tried_at  INTEGER
) STRICT;

-- What `conversations.logins` says, the other way round.
CREATE TABLE logins (
    guest   BLOB NOT NULL,
    address TEXT NOT NULL,
    PRIMARY KEY (guest, address)
) STRICT, WITHOUT ROWID;

CREATE TABLE activity (
    seq      INTEGER PRIMARY KEY,
    event_id TEXT NOT NULL,
    guest_id BLOB,
    by_guest BLOB,
    at       INTEGER NOT NULL,
    body     TEXT NOT NULL -- JSON
) STRICT;
CREATE INDEX activity_by_event ON activity (event_id, at);

-- Keys of messages that were handled.
CREATE TABLE inbox (
    key TEXT PRIMARY KEY,
    at  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Failed logins over all addresses.
CREATE TABLE failures (
    at    INTEGER PRIMARY KEY,
    count INTEGER NOT NULL
) STRICT;

-- An entry is open (still to be delivered) as long as `finished_at` is missing.
CREATE TABLE outbox (
    seq              INTEGER PRIMARY KEY,
    id               TEXT NOT NULL UNIQUE,
    address          TEXT NOT NULL,
    is_reply         INTEGER NOT NULL,
    -- Order within the address: version and place of a reply, time of decision of an initiated message.
    order1           INTEGER NOT NULL,
    order2           INTEGER NOT NULL,
    question         INTEGER,
    only_asks        INTEGER NOT NULL,
    text             TEXT, -- JSON; none until an initiated message is first put into words
    initiated        TEXT, -- JSON
    status           TEXT NOT NULL,
    due_at           INTEGER NOT NULL, -- of a leased entry: the lease's end
    leased_by        TEXT,
    attempts         INTEGER NOT NULL DEFAULT 0,
    ambiguous        INTEGER NOT NULL DEFAULT 0,
    in_doubt         INTEGER NOT NULL DEFAULT 0,
    withdrawn        INTEGER NOT NULL DEFAULT 0, -- was on its way when the person opted out: not tried again
    created_at       INTEGER NOT NULL,
    first_attempt_at INTEGER,
    finished_at      INTEGER,
    provider_id      TEXT,
    delivery         TEXT,
    reason           TEXT
) STRICT;
CREATE INDEX outbox_open ON outbox (address, is_reply, order1, order2, id) WHERE finished_at IS NULL;
CREATE INDEX outbox_by_provider_id ON outbox (provider_id) WHERE provider_id IS NOT NULL;
-- Written out: for IN, SQLite would build a temporary table on every write.
CREATE INDEX outbox_undelivered ON outbox (status, seq)
    WHERE status = 'failed' OR status = 'unknown' OR status = 'dropped';

-- One row for each address with open entries: when its next reply and its next initiated message may be claimed
-- (holds and leases included). So a claim reads as many rows as it claims, however many entries wait.
CREATE TABLE lanes (
    address      TEXT PRIMARY KEY,
    channel      TEXT NOT NULL,
    reply_at     INTEGER,
    initiated_at INTEGER,
    in_flight    INTEGER -- the leased entry
) STRICT, WITHOUT ROWID;
CREATE INDEX lanes_by_reply ON lanes (channel, reply_at) WHERE reply_at IS NOT NULL;
CREATE INDEX lanes_by_initiated ON lanes (channel, initiated_at) WHERE initiated_at IS NOT NULL;

-- Addresses (and channels, for all their initiated messages) to which a provider wants nothing sent for a while.
CREATE TABLE holds (
    lane  TEXT PRIMARY KEY,
    until INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Delivery reports whose message is not known yet.
CREATE TABLE early_reports (
    provider_id TEXT PRIMARY KEY,
    at          INTEGER NOT NULL,
    status      TEXT NOT NULL,
    error       TEXT
) STRICT, WITHOUT ROWID;

-- Written to find out whether a commit would go through.
CREATE TABLE heartbeat (
    id    INTEGER PRIMARY KEY,
    beats INTEGER NOT NULL
) STRICT;
