-- Who may come in over HTTP.

CREATE TABLE tokens (
    name VARCHAR PRIMARY KEY,
    sha256 VARCHAR NOT NULL,
    role VARCHAR NOT NULL,
    agent_id VARCHAR,
    created_at TIMESTAMPTZ NOT NULL
);
COMMENT ON TABLE tokens IS 'Who may come in over HTTP; a revoked token is gone.';
COMMENT ON COLUMN tokens.name IS 'Unique name; an operator''s token writes under it.';
COMMENT ON COLUMN tokens.sha256 IS 'sha256 of the secret, which is shown once and stored nowhere.';
COMMENT ON COLUMN tokens.role IS 'operator, viewer or agent.';
COMMENT ON COLUMN tokens.agent_id IS 'The agent it acts as; NULL for the other roles.';
COMMENT ON COLUMN tokens.created_at IS 'When it was made.';
