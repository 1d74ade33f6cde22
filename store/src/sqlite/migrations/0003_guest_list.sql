-- Filters, searches and sorts of the guest list read this alone; the records of one page are looked up after.
CREATE INDEX guests_as_listed
    ON guests (event_id, created_at, id, status, rsvp_date, last_login, name_key, dietary);
