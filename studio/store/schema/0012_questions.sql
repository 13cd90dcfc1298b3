-- Drafts that were written over or discarded, and what marks a version that an agent wrote unasked.

CREATE SEQUENCE replaced_draft_numbers;
CREATE TABLE replaced_drafts (
    number BIGINT PRIMARY KEY,
    agent_id VARCHAR NOT NULL,
    text VARCHAR NOT NULL,
    sha256 VARCHAR NOT NULL,
    based_on INTEGER NOT NULL,
    based_on_sha256 VARCHAR NOT NULL,
    author_kind VARCHAR NOT NULL,
    author_name VARCHAR,
    saved_at TIMESTAMPTZ NOT NULL,
    gone_at TIMESTAMPTZ NOT NULL,
    gone_kind VARCHAR NOT NULL,
    gone_name VARCHAR
);
COMMENT ON TABLE replaced_drafts IS 'Drafts that another one replaced or that were discarded, so that they can be brought back; the newest of each agent.';
COMMENT ON COLUMN replaced_drafts.number IS 'By which one is brought back; grows and never comes again.';
COMMENT ON COLUMN replaced_drafts.agent_id IS 'Whose Task it is of.';
COMMENT ON COLUMN replaced_drafts.text IS 'The draft as written.';
COMMENT ON COLUMN replaced_drafts.sha256 IS 'Of the draft as UTF-8.';
COMMENT ON COLUMN replaced_drafts.based_on IS 'The Task version it started from.';
COMMENT ON COLUMN replaced_drafts.based_on_sha256 IS 'sha256 of that version.';
COMMENT ON COLUMN replaced_drafts.author_kind IS 'What kind of author drafted it.';
COMMENT ON COLUMN replaced_drafts.author_name IS 'Who drafted it.';
COMMENT ON COLUMN replaced_drafts.saved_at IS 'When it was last kept.';
COMMENT ON COLUMN replaced_drafts.gone_at IS 'When it was replaced or discarded.';
COMMENT ON COLUMN replaced_drafts.gone_kind IS 'What kind of author did that.';
COMMENT ON COLUMN replaced_drafts.gone_name IS 'Who did that.';

CREATE TABLE marked_versions (
    agent_id VARCHAR NOT NULL,
    version INTEGER NOT NULL,
    marks VARCHAR NOT NULL,
    PRIMARY KEY (agent_id, version)
);
COMMENT ON TABLE marked_versions IS 'Versions of memories that would have deserved a question; the others have no row.';
COMMENT ON COLUMN marked_versions.agent_id IS 'Whose memory.';
COMMENT ON COLUMN marked_versions.version IS 'The number of the version.';
COMMENT ON COLUMN marked_versions.marks IS 'The words of the questions, with commas between: markers, empty, key.';
