-- What was answered to requests that may be sent again.

CREATE TABLE idempotency (
    request VARCHAR PRIMARY KEY,
    fingerprint VARCHAR NOT NULL,
    answer BLOB,
    answered_at TIMESTAMPTZ NOT NULL
);
COMMENT ON TABLE idempotency IS 'Writes that came with a key: a repeat is answered from here and not carried out again. Kept for a day.';
COMMENT ON COLUMN idempotency.request IS 'Who sent the request and, on a second line, the key they gave it: a key is its sender''s own.';
COMMENT ON COLUMN idempotency.fingerprint IS 'sha256 of the request, so that a key is not used for another one.';
COMMENT ON COLUMN idempotency.answer IS 'What was answered; NULL for a request that was begun and not answered.';
COMMENT ON COLUMN idempotency.answered_at IS 'When it was entered.';
