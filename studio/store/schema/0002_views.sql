-- Views for people who query by hand. A property test holds each equal to `domain`.

CREATE VIEW memory_versions AS
WITH held AS (
    SELECT agent_id, version, sha256, characters, added, removed, only_changed, status, since, raw IS NOT NULL AS is_binary,
           own_kind, own_name, own_run_id, own_call_id, own_based_on, false AS live, replaced_at AS until
    FROM memory_revisions
    UNION ALL
    SELECT agent_id, version, sha256, characters, added, removed, only_changed, status, since, raw IS NOT NULL,
           own_kind, own_name, own_run_id, own_call_id, own_based_on, true, NULL
    FROM memory
)
SELECT held.agent_id, held.version,
       coalesce(held.own_kind, by_.actor_kind, 'unknown') AS author_kind,
       CASE WHEN held.own_kind IS NULL THEN by_.actor_name ELSE held.own_name END AS author_name,
       held.since, held.until, held.added, held.removed, held.characters, held.status, held.only_changed, held.is_binary, held.live,
       CASE WHEN held.own_kind IS NULL THEN by_.run_id ELSE held.own_run_id END AS run_id,
       CASE WHEN held.own_kind IS NULL THEN by_.call_id ELSE held.own_call_id END AS call_id,
       CASE WHEN held.own_kind IS NULL THEN by_.based_on ELSE held.own_based_on END AS based_on,
       held.sha256
FROM held LEFT JOIN memory_revisions AS by_ ON by_.agent_id = held.agent_id AND by_.version = held.version - 1;
COMMENT ON VIEW memory_versions IS 'Every memory version with its author: revision k names the author of version k + 1 (decision 2).';

CREATE VIEW task_versions AS
WITH held AS (
    SELECT agent_id, version, sha256, characters, added, removed, only_changed, since, false AS live, replaced_at AS until
    FROM task_revisions
    UNION ALL
    SELECT agent_id, task_version, task_sha256, task_characters, task_added, task_removed, task_only_changed, task_since, true, NULL
    FROM agents
)
SELECT held.agent_id, held.version, coalesce(by_.actor_kind, 'unknown') AS author_kind, by_.actor_name AS author_name, by_.note,
       held.since, held.until, held.added, held.removed, held.characters, held.only_changed, held.live, held.sha256
FROM held LEFT JOIN task_revisions AS by_ ON by_.agent_id = held.agent_id AND by_.version = held.version - 1;
COMMENT ON VIEW task_versions IS 'Every Task version with its author and note.';
