-- Memory directories: the git repository that is an agent's memory (decision 1).

CREATE TABLE directories (
    agent_id VARCHAR PRIMARY KEY,
    path VARCHAR NOT NULL,
    agent_authors VARCHAR NOT NULL,
    linked_at TIMESTAMPTZ NOT NULL,
    seen_head VARCHAR NOT NULL,
    seen_version INTEGER NOT NULL,
    seen_characters INTEGER NOT NULL,
    seen_at TIMESTAMPTZ,
    rewritten_from VARCHAR,
    rewritten_at TIMESTAMPTZ
);
COMMENT ON TABLE directories IS 'The git repository of each agent whose layout is directory.';
COMMENT ON COLUMN directories.agent_id IS 'Whose memory it is.';
COMMENT ON COLUMN directories.path IS 'The repository''s folder on the machine that opens this store.';
COMMENT ON COLUMN directories.agent_authors IS 'JSON list: the operator''s rule, globs of commit authors that are agents (decision 3).';
COMMENT ON COLUMN directories.linked_at IS 'When it was linked.';
COMMENT ON COLUMN directories.seen_head IS 'The commit at HEAD when its versions were last read.';
COMMENT ON COLUMN directories.seen_version IS 'Number of the newest version then; 0 where nothing compiled yet.';
COMMENT ON COLUMN directories.seen_characters IS 'Code points of the compiled memory then.';
COMMENT ON COLUMN directories.seen_at IS 'When that version was committed; NULL where nothing compiled yet.';
COMMENT ON COLUMN directories.rewritten_from IS 'The commit last seen before history was rewritten, since when numbers start anew; NULL where it never was.';
COMMENT ON COLUMN directories.rewritten_at IS 'When that was noticed.';
