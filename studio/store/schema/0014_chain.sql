-- The chain of every text (decision 38). Links of what is there are made in the same transaction, by `sealing`.

ALTER TABLE memory ADD COLUMN renamed VARCHAR;
ALTER TABLE memory ADD COLUMN digest VARCHAR;
ALTER TABLE memory ADD COLUMN chain_before VARCHAR;
ALTER TABLE memory ADD COLUMN chain_link VARCHAR;
COMMENT ON COLUMN memory.renamed IS 'JSON: kind, name, via, evidence of the newest name of this version''s author; NULL where the recorded one holds.';
COMMENT ON COLUMN memory.digest IS 'sha256 over author, time, run and call of this version (decision 38).';
COMMENT ON COLUMN memory.chain_before IS 'Link of the chain''s entry before this version.';
COMMENT ON COLUMN memory.chain_link IS 'Link of this version: sha256 over the link before, number, sha256, size, status and digest.';

ALTER TABLE memory_revisions ADD COLUMN renamed VARCHAR USING COMPRESSION uncompressed;
ALTER TABLE memory_revisions ADD COLUMN digest VARCHAR USING COMPRESSION uncompressed;
ALTER TABLE memory_revisions ADD COLUMN chain_before VARCHAR USING COMPRESSION uncompressed;
ALTER TABLE memory_revisions ADD COLUMN chain_link VARCHAR USING COMPRESSION uncompressed;
COMMENT ON COLUMN memory_revisions.renamed IS 'JSON: kind, name, via, evidence of the newest name of the held version''s author; else NULL.';
COMMENT ON COLUMN memory_revisions.digest IS 'sha256 over author, time, run and call of the held version.';
COMMENT ON COLUMN memory_revisions.chain_before IS 'Link of the chain''s entry before the held version.';
COMMENT ON COLUMN memory_revisions.chain_link IS 'Link of the held version.';

ALTER TABLE agents ADD COLUMN task_digest VARCHAR;
ALTER TABLE agents ADD COLUMN task_chain_before VARCHAR;
ALTER TABLE agents ADD COLUMN task_chain_link VARCHAR;
COMMENT ON COLUMN agents.task_digest IS 'sha256 over author and time of the live Task.';
COMMENT ON COLUMN agents.task_chain_before IS 'Link of the chain''s entry before the live Task.';
COMMENT ON COLUMN agents.task_chain_link IS 'Link of the live Task.';

ALTER TABLE task_revisions ADD COLUMN digest VARCHAR;
ALTER TABLE task_revisions ADD COLUMN chain_before VARCHAR;
ALTER TABLE task_revisions ADD COLUMN chain_link VARCHAR;
COMMENT ON COLUMN task_revisions.digest IS 'sha256 over author and time of the held Task.';
COMMENT ON COLUMN task_revisions.chain_before IS 'Link of the chain''s entry before the held Task.';
COMMENT ON COLUMN task_revisions.chain_link IS 'Link of the held Task.';

ALTER TABLE runs ADD COLUMN seal VARCHAR;
COMMENT ON COLUMN runs.seal IS 'sha256 over what never changes of a run: what it was made with, and its message 0 (decision 27).';

CREATE TABLE chain_entries (
    agent_id VARCHAR NOT NULL,
    file VARCHAR NOT NULL,
    position INTEGER NOT NULL,
    after_version INTEGER NOT NULL,
    kind VARCHAR NOT NULL,
    content VARCHAR NOT NULL,
    made_at TIMESTAMPTZ NOT NULL,
    chain_before VARCHAR NOT NULL,
    chain_link VARCHAR NOT NULL,
    PRIMARY KEY (agent_id, file, position)
);
COMMENT ON TABLE chain_entries IS 'Entries of chains that are not versions (decision 38).';
COMMENT ON COLUMN chain_entries.agent_id IS 'Whose text.';
COMMENT ON COLUMN chain_entries.file IS 'task or memory.';
COMMENT ON COLUMN chain_entries.position IS 'Place among those of this text, from 1.';
COMMENT ON COLUMN chain_entries.after_version IS 'Number of the version that it follows.';
COMMENT ON COLUMN chain_entries.kind IS 'renaming, restart or redaction.';
COMMENT ON COLUMN chain_entries.content IS 'JSON: what it says.';
COMMENT ON COLUMN chain_entries.made_at IS 'When it was made.';
COMMENT ON COLUMN chain_entries.chain_before IS 'Link of the entry before.';
COMMENT ON COLUMN chain_entries.chain_link IS 'Its own link.';

CREATE OR REPLACE VIEW memory_versions AS
WITH held AS (
    SELECT agent_id, version, sha256, characters, added, removed, only_changed, status, since, raw IS NOT NULL AS is_binary, stand_in, renamed,
           own_kind, own_name, own_run_id, own_call_id, own_based_on, false AS live, replaced_at AS until
    FROM memory_revisions
    UNION ALL
    SELECT agent_id, version, sha256, characters, added, removed, only_changed, status, since, raw IS NOT NULL, stand_in, renamed,
           own_kind, own_name, own_run_id, own_call_id, own_based_on, true, NULL
    FROM memory
)
SELECT held.agent_id, held.version,
       coalesce(held.renamed ->> 0, held.own_kind, by_.actor_kind, 'unknown') AS author_kind,
       CASE WHEN held.renamed IS NOT NULL THEN held.renamed ->> 1 WHEN held.own_kind IS NULL THEN by_.actor_name
            ELSE held.own_name END AS author_name,
       held.since, held.until, held.added, held.removed,
       CASE WHEN held.stand_in IS NULL THEN held.characters ELSE 0 END AS characters,
       held.status, held.only_changed, held.is_binary AND held.stand_in IS NULL AS is_binary, held.live,
       CASE WHEN held.own_kind IS NULL THEN by_.run_id ELSE held.own_run_id END AS run_id,
       CASE WHEN held.own_kind IS NULL THEN by_.call_id ELSE held.own_call_id END AS call_id,
       CASE WHEN held.own_kind IS NULL THEN by_.based_on ELSE held.own_based_on END AS based_on,
       held.sha256, held.stand_in ->> 'kind' AS stand_in_kind, held.stand_in ->> 'stands_for' AS stands_for
FROM held LEFT JOIN memory_revisions AS by_ ON by_.agent_id = held.agent_id AND by_.version = held.version - 1;
COMMENT ON VIEW memory_versions IS 'Every memory version with its author: revision k names the author of version k + 1 (decision 2).';
