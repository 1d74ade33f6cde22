-- What was written to guests of late, and what is about to be: replies, which are most, are not in it.
CREATE INDEX outbox_initiated ON outbox (finished_at) WHERE is_reply = 0;
