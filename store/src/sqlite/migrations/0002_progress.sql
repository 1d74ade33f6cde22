-- How far each recurring job is.
CREATE TABLE progress (
    job     TEXT PRIMARY KEY,
    reached INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
