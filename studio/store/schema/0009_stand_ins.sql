-- Stand-ins: versions whose text is not there, each with what it is and what it stands for (decision 41).

ALTER TABLE memory ADD COLUMN stand_in VARCHAR;
ALTER TABLE memory_revisions ADD COLUMN stand_in VARCHAR USING COMPRESSION uncompressed;
COMMENT ON COLUMN memory.stand_in IS 'JSON: kind, stands_for, bytes of a version whose text is not there; else NULL.';
COMMENT ON COLUMN memory_revisions.stand_in IS 'JSON: kind, stands_for, bytes of a held version whose text is not there; else NULL.';

-- A link is one of them now. Its target stays in text or raw as git has it, and counts no lines any more.
UPDATE memory
SET status = 'stand-in', added = 0, removed = 0, only_changed = NULL,
    stand_in = json_object('kind', 'link', 'stands_for', coalesce(text, raw::VARCHAR), 'bytes', NULL)
WHERE status = 'link';
UPDATE memory_revisions
SET status = 'stand-in', added = 0, removed = 0, only_changed = NULL,
    stand_in = json_object('kind', 'link', 'stands_for', coalesce(text, raw::VARCHAR), 'bytes', NULL)
WHERE status = 'link';
COMMENT ON COLUMN memory.status IS 'added, modified, renamed, deleted or stand-in (decisions 16 and 41).';
COMMENT ON COLUMN memory_revisions.status IS 'added, modified, renamed, deleted or stand-in.';

CREATE OR REPLACE VIEW memory_versions AS
WITH held AS (
    SELECT agent_id, version, sha256, characters, added, removed, only_changed, status, since, raw IS NOT NULL AS is_binary, stand_in,
           own_kind, own_name, own_run_id, own_call_id, own_based_on, false AS live, replaced_at AS until
    FROM memory_revisions
    UNION ALL
    SELECT agent_id, version, sha256, characters, added, removed, only_changed, status, since, raw IS NOT NULL, stand_in,
           own_kind, own_name, own_run_id, own_call_id, own_based_on, true, NULL
    FROM memory
)
SELECT held.agent_id, held.version,
       coalesce(held.own_kind, by_.actor_kind, 'unknown') AS author_kind,
       CASE WHEN held.own_kind IS NULL THEN by_.actor_name ELSE held.own_name END AS author_name,
       held.since, held.until, held.added, held.removed,
       CASE WHEN held.stand_in IS NULL THEN held.characters ELSE 0 END AS characters,
       held.status, held.only_changed, held.is_binary AND held.stand_in IS NULL AS is_binary, held.live,
       CASE WHEN held.own_kind IS NULL THEN by_.run_id ELSE held.own_run_id END AS run_id,
       CASE WHEN held.own_kind IS NULL THEN by_.call_id ELSE held.own_call_id END AS call_id,
       CASE WHEN held.own_kind IS NULL THEN by_.based_on ELSE held.own_based_on END AS based_on,
       held.sha256, held.stand_in ->> 'kind' AS stand_in_kind, held.stand_in ->> 'stands_for' AS stands_for
FROM held LEFT JOIN memory_revisions AS by_ ON by_.agent_id = held.agent_id AND by_.version = held.version - 1;
COMMENT ON VIEW memory_versions IS 'Every memory version with its author: revision k names the author of version k + 1 (decision 2).';
