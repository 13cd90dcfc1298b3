-- What was answered to requests that may be sent again.

CREATE TABLE idempotency (
    who VARCHAR NOT NULL,
    key VARCHAR NOT NULL,
    fingerprint VARCHAR NOT NULL,
    answer BLOB,
    answered_at TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (who, key)
);
COMMENT ON TABLE idempotency IS 'Writes that came with a key: a repeat is answered from here and not carried out again. Kept for a day.';
COMMENT ON COLUMN idempotency.who IS 'Who sent the request; a key is their own.';
COMMENT ON COLUMN idempotency.key IS 'What the client named the request.';
COMMENT ON COLUMN idempotency.fingerprint IS 'sha256 of the request, so that a key is not used for another one.';
COMMENT ON COLUMN idempotency.answer IS 'What was answered; NULL for a request that was begun and not answered.';
COMMENT ON COLUMN idempotency.answered_at IS 'When it was entered.';
