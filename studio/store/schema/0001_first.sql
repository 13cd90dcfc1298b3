-- The first schema of Prompt Studio. A released file is never edited; a change is a new numbered file.
-- Times are TIMESTAMPTZ and mean UTC; sizes are code points unless the name says bytes; ids are text.
-- References are checked in code inside the transaction (no foreign keys: DuckDB's are over-eager and forbid ALTER).

CREATE TABLE orgs (
    org_id VARCHAR PRIMARY KEY,
    name VARCHAR NOT NULL,
    created_at TIMESTAMPTZ NOT NULL
);
COMMENT ON TABLE orgs IS 'Organisations: the first part of every display path.';
COMMENT ON COLUMN orgs.org_id IS 'Id, o_ and random characters.';
COMMENT ON COLUMN orgs.name IS 'Name, one line.';
COMMENT ON COLUMN orgs.created_at IS 'When it was created.';

CREATE TABLE guilds (
    guild_id VARCHAR PRIMARY KEY,
    org_id VARCHAR NOT NULL,
    name VARCHAR NOT NULL,
    about VARCHAR,
    description VARCHAR,
    created_at TIMESTAMPTZ NOT NULL
);
COMMENT ON TABLE guilds IS 'Groups of agents that work together.';
COMMENT ON COLUMN guilds.guild_id IS 'Id, g_ and random characters.';
COMMENT ON COLUMN guilds.org_id IS 'The organisation it belongs to.';
COMMENT ON COLUMN guilds.name IS 'Name, one line.';
COMMENT ON COLUMN guilds.about IS 'State: guild about (group.about); NULL leaves the key out.';
COMMENT ON COLUMN guilds.description IS 'State: guild description (group.description); NULL leaves the key out.';
COMMENT ON COLUMN guilds.created_at IS 'When it was created.';

CREATE TABLE operators (
    org_id VARCHAR NOT NULL,
    name VARCHAR NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (org_id, name)
);
COMMENT ON TABLE operators IS 'People who steer agents; a name is entered with its first write.';
COMMENT ON COLUMN operators.org_id IS 'The organisation they act in.';
COMMENT ON COLUMN operators.name IS 'The name as given by --operator, STUDIO_OPERATOR or the system account (decision 4).';
COMMENT ON COLUMN operators.created_at IS 'When the name was first seen.';

CREATE TABLE agents (
    agent_id VARCHAR PRIMARY KEY,
    org_id VARCHAR NOT NULL,
    guild_id VARCHAR,
    name VARCHAR NOT NULL,
    focus VARCHAR,
    created_at TIMESTAMPTZ NOT NULL,
    layout VARCHAR NOT NULL,
    retention INTEGER,
    memory_on BOOLEAN NOT NULL,
    memory_write_on BOOLEAN NOT NULL,
    max_tool_calls INTEGER NOT NULL,
    source_kind VARCHAR,
    source_key VARCHAR,
    source_label VARCHAR,
    source_agent_authors VARCHAR,
    task VARCHAR NOT NULL,
    task_version INTEGER NOT NULL,
    task_sha256 VARCHAR NOT NULL,
    task_characters INTEGER NOT NULL,
    task_added INTEGER,
    task_removed INTEGER,
    task_only_changed VARCHAR,
    task_since TIMESTAMPTZ NOT NULL
);
COMMENT ON TABLE agents IS 'Agents with their live Task and what operators set.';
COMMENT ON COLUMN agents.agent_id IS 'Id, a_ and random characters.';
COMMENT ON COLUMN agents.org_id IS 'The organisation it belongs to.';
COMMENT ON COLUMN agents.guild_id IS 'The guild it belongs to, or NULL.';
COMMENT ON COLUMN agents.name IS 'Name, one line; not unique.';
COMMENT ON COLUMN agents.focus IS 'What it is for, as members of its guild see it.';
COMMENT ON COLUMN agents.created_at IS 'When it was created; the oldest version of each text starts here (decision 13).';
COMMENT ON COLUMN agents.layout IS 'artifact or directory (decision 1).';
COMMENT ON COLUMN agents.retention IS 'Revisions kept of each text; NULL keeps all (decision 11).';
COMMENT ON COLUMN agents.memory_on IS 'config.memory: whether the Memory section is composed.';
COMMENT ON COLUMN agents.memory_write_on IS 'Whether this scope leaves memory_write on (decision 10).';
COMMENT ON COLUMN agents.max_tool_calls IS 'Tool calls a run may make.';
COMMENT ON COLUMN agents.source_kind IS 'git or history where an import made the agent; otherwise NULL.';
COMMENT ON COLUMN agents.source_key IS 'Identifies that history in any copy of it.';
COMMENT ON COLUMN agents.source_label IS 'Repository and path as they were named to the import.';
COMMENT ON COLUMN agents.source_agent_authors IS 'JSON list of the globs that the operator set as the author rule (decision 3).';
COMMENT ON COLUMN agents.task IS 'The live Task, as written.';
COMMENT ON COLUMN agents.task_version IS 'Number of the live Task version.';
COMMENT ON COLUMN agents.task_sha256 IS 'sha256 of the live Task as UTF-8.';
COMMENT ON COLUMN agents.task_characters IS 'Size of the live Task.';
COMMENT ON COLUMN agents.task_added IS 'Lines the live Task added against the version before (decision 15).';
COMMENT ON COLUMN agents.task_removed IS 'Lines it removed.';
COMMENT ON COLUMN agents.task_only_changed IS 'line endings, BOM, final newline: what alone changed, if that is all.';
COMMENT ON COLUMN agents.task_since IS 'When the live Task was published.';

CREATE TABLE memory (
    agent_id VARCHAR PRIMARY KEY,
    version INTEGER NOT NULL,
    text VARCHAR,
    raw BLOB,
    sha256 VARCHAR NOT NULL,
    characters INTEGER NOT NULL,
    added INTEGER,
    removed INTEGER,
    only_changed VARCHAR,
    status VARCHAR NOT NULL,
    since TIMESTAMPTZ NOT NULL,
    own_kind VARCHAR,
    own_name VARCHAR,
    own_via VARCHAR,
    own_evidence VARCHAR,
    own_run_id VARCHAR,
    own_call_id VARCHAR,
    own_based_on INTEGER,
    own_occasion VARCHAR,
    origin VARCHAR
);
COMMENT ON TABLE memory IS 'The live memory of each agent: the newest version.';
COMMENT ON COLUMN memory.agent_id IS 'Whose memory.';
COMMENT ON COLUMN memory.version IS 'Number of this version; grows by one from 1 (decision 2).';
COMMENT ON COLUMN memory.text IS 'The text as written; NULL where raw is set.';
COMMENT ON COLUMN memory.raw IS 'Bytes of an imported version that is not UTF-8 or holds NUL (decision 5).';
COMMENT ON COLUMN memory.sha256 IS 'sha256 of the stored bytes; a save gives it back (decision 37).';
COMMENT ON COLUMN memory.characters IS 'Code points; bytes where raw is set.';
COMMENT ON COLUMN memory.added IS 'Lines added against the version before (decision 15); NULL where git would not count.';
COMMENT ON COLUMN memory.removed IS 'Lines removed likewise.';
COMMENT ON COLUMN memory.only_changed IS 'line endings, BOM, final newline: what alone changed, if that is all.';
COMMENT ON COLUMN memory.status IS 'added, modified, renamed, deleted or link (decision 16).';
COMMENT ON COLUMN memory.since IS 'When this version became live.';
COMMENT ON COLUMN memory.own_kind IS 'Kind of this version''s author, only where no revision before it names one (decision 8).';
COMMENT ON COLUMN memory.own_name IS 'Run id, or name of that author.';
COMMENT ON COLUMN memory.own_via IS 'The agent tool that author worked with.';
COMMENT ON COLUMN memory.own_evidence IS 'What an import read that from.';
COMMENT ON COLUMN memory.own_run_id IS 'The run that wrote this version, likewise.';
COMMENT ON COLUMN memory.own_call_id IS 'Its memory_write call.';
COMMENT ON COLUMN memory.own_based_on IS 'The memory version that run had read.';
COMMENT ON COLUMN memory.own_occasion IS 'How it came about.';
COMMENT ON COLUMN memory.origin IS 'JSON: commit, subject, path, old_path, utc_offset_minutes of an imported version.';

-- A timeline is 50 rows that lie anywhere among those of all agents. DuckDB looks up a key of one column in its index, and scans for a key
-- of two; it reads a short text that is not compressed without unpacking thousands of neighbours. At 10,000 agents: 3 ms for 15.
CREATE TABLE memory_revisions (
    revision_key VARCHAR USING COMPRESSION uncompressed PRIMARY KEY,
    agent_id VARCHAR NOT NULL,
    version INTEGER NOT NULL,
    text VARCHAR,
    raw BLOB,
    sha256 VARCHAR USING COMPRESSION uncompressed NOT NULL,
    characters INTEGER NOT NULL,
    added INTEGER,
    removed INTEGER,
    only_changed VARCHAR USING COMPRESSION uncompressed,
    status VARCHAR USING COMPRESSION uncompressed NOT NULL,
    since TIMESTAMPTZ NOT NULL,
    own_kind VARCHAR USING COMPRESSION uncompressed,
    own_name VARCHAR USING COMPRESSION uncompressed,
    own_via VARCHAR USING COMPRESSION uncompressed,
    own_evidence VARCHAR USING COMPRESSION uncompressed,
    own_run_id VARCHAR USING COMPRESSION uncompressed,
    own_call_id VARCHAR USING COMPRESSION uncompressed,
    own_based_on INTEGER,
    own_occasion VARCHAR USING COMPRESSION uncompressed,
    origin VARCHAR USING COMPRESSION uncompressed,
    archive_name VARCHAR NOT NULL,
    actor_kind VARCHAR USING COMPRESSION uncompressed NOT NULL,
    actor_name VARCHAR USING COMPRESSION uncompressed,
    actor_via VARCHAR USING COMPRESSION uncompressed,
    actor_evidence VARCHAR USING COMPRESSION uncompressed,
    replaced_at TIMESTAMPTZ NOT NULL,
    run_id VARCHAR USING COMPRESSION uncompressed,
    call_id VARCHAR USING COMPRESSION uncompressed,
    based_on INTEGER,
    occasion VARCHAR USING COMPRESSION uncompressed
);
COMMENT ON TABLE memory_revisions IS 'The archive: a row holds the previous version and names who wrote the next one (decision 2).';
COMMENT ON COLUMN memory_revisions.revision_key IS 'Agent and version, a_x/12: what a row is looked up by.';
COMMENT ON COLUMN memory_revisions.agent_id IS 'Whose memory.';
COMMENT ON COLUMN memory_revisions.version IS 'Number of the version this row holds.';
COMMENT ON COLUMN memory_revisions.text IS 'The held text as written; NULL where raw is set.';
COMMENT ON COLUMN memory_revisions.raw IS 'Bytes of an imported version that is not UTF-8 or holds NUL.';
COMMENT ON COLUMN memory_revisions.sha256 IS 'sha256 of the held bytes.';
COMMENT ON COLUMN memory_revisions.characters IS 'Code points; bytes where raw is set.';
COMMENT ON COLUMN memory_revisions.added IS 'Lines the held version added against the one before it.';
COMMENT ON COLUMN memory_revisions.removed IS 'Lines it removed.';
COMMENT ON COLUMN memory_revisions.only_changed IS 'line endings, BOM, final newline: what alone changed, if that is all.';
COMMENT ON COLUMN memory_revisions.status IS 'added, modified, renamed, deleted or link.';
COMMENT ON COLUMN memory_revisions.since IS 'When the held version became live.';
COMMENT ON COLUMN memory_revisions.own_kind IS 'Kind of the held version''s author, only where no revision before it names one (decision 8).';
COMMENT ON COLUMN memory_revisions.own_name IS 'Run id, or name of that author.';
COMMENT ON COLUMN memory_revisions.own_via IS 'The agent tool that author worked with.';
COMMENT ON COLUMN memory_revisions.own_evidence IS 'What an import read that from.';
COMMENT ON COLUMN memory_revisions.own_run_id IS 'The run that wrote the held version, likewise.';
COMMENT ON COLUMN memory_revisions.own_call_id IS 'Its memory_write call.';
COMMENT ON COLUMN memory_revisions.own_based_on IS 'The memory version that run had read.';
COMMENT ON COLUMN memory_revisions.own_occasion IS 'How it came about.';
COMMENT ON COLUMN memory_revisions.origin IS 'JSON: where the held version came from; imports only.';
COMMENT ON COLUMN memory_revisions.archive_name IS 'File name in history-archive, stamp and source (decision 12).';
COMMENT ON COLUMN memory_revisions.actor_kind IS 'Kind of the author of the NEXT version.';
COMMENT ON COLUMN memory_revisions.actor_name IS 'Run id, or name of the operator or agent, of the next version.';
COMMENT ON COLUMN memory_revisions.actor_via IS 'The agent tool that author worked with.';
COMMENT ON COLUMN memory_revisions.actor_evidence IS 'What an import read that from.';
COMMENT ON COLUMN memory_revisions.replaced_at IS 'When the next version replaced the held one.';
COMMENT ON COLUMN memory_revisions.run_id IS 'The run that wrote the next version.';
COMMENT ON COLUMN memory_revisions.call_id IS 'Its memory_write call.';
COMMENT ON COLUMN memory_revisions.based_on IS 'The memory version that run had read.';
COMMENT ON COLUMN memory_revisions.occasion IS 'What stands in brackets behind Replaced by (decision 13).';

CREATE TABLE task_revisions (
    agent_id VARCHAR NOT NULL,
    version INTEGER NOT NULL,
    text VARCHAR NOT NULL,
    sha256 VARCHAR NOT NULL,
    characters INTEGER NOT NULL,
    added INTEGER,
    removed INTEGER,
    only_changed VARCHAR,
    since TIMESTAMPTZ NOT NULL,
    actor_kind VARCHAR NOT NULL,
    actor_name VARCHAR,
    replaced_at TIMESTAMPTZ NOT NULL,
    occasion VARCHAR,
    note VARCHAR,
    PRIMARY KEY (agent_id, version)
);
COMMENT ON TABLE task_revisions IS 'Previous Tasks: a row holds the previous version and names who published the next one.';
COMMENT ON COLUMN task_revisions.agent_id IS 'Whose Task.';
COMMENT ON COLUMN task_revisions.version IS 'Number of the version this row holds.';
COMMENT ON COLUMN task_revisions.text IS 'The held text as written.';
COMMENT ON COLUMN task_revisions.sha256 IS 'sha256 of the held text as UTF-8.';
COMMENT ON COLUMN task_revisions.characters IS 'Size of the held text.';
COMMENT ON COLUMN task_revisions.added IS 'Lines the held version added against the one before it.';
COMMENT ON COLUMN task_revisions.removed IS 'Lines it removed.';
COMMENT ON COLUMN task_revisions.only_changed IS 'line endings, BOM, final newline: what alone changed, if that is all.';
COMMENT ON COLUMN task_revisions.since IS 'When the held version became live.';
COMMENT ON COLUMN task_revisions.actor_kind IS 'Kind of the author of the NEXT version.';
COMMENT ON COLUMN task_revisions.actor_name IS 'Name of that author.';
COMMENT ON COLUMN task_revisions.replaced_at IS 'When the next version replaced the held one.';
COMMENT ON COLUMN task_revisions.occasion IS 'How it came about: Prompt tab, restore of version N.';
COMMENT ON COLUMN task_revisions.note IS 'Why the next version was published, in the operator''s words.';

CREATE TABLE task_drafts (
    agent_id VARCHAR PRIMARY KEY,
    text VARCHAR NOT NULL,
    sha256 VARCHAR NOT NULL,
    based_on INTEGER NOT NULL,
    based_on_sha256 VARCHAR NOT NULL,
    author_kind VARCHAR NOT NULL,
    author_name VARCHAR,
    saved_at TIMESTAMPTZ NOT NULL
);
COMMENT ON TABLE task_drafts IS 'The operator''s draft of each Task (decision 30).';
COMMENT ON COLUMN task_drafts.agent_id IS 'Whose Task.';
COMMENT ON COLUMN task_drafts.text IS 'The draft as written.';
COMMENT ON COLUMN task_drafts.sha256 IS 'sha256 of the draft as UTF-8.';
COMMENT ON COLUMN task_drafts.based_on IS 'The Task version the draft started from.';
COMMENT ON COLUMN task_drafts.based_on_sha256 IS 'sha256 of that version: publishing over another live text is refused.';
COMMENT ON COLUMN task_drafts.author_kind IS 'Kind of who drafted: operator, or agent for a coach or tool (decision 31).';
COMMENT ON COLUMN task_drafts.author_name IS 'Name of who drafted.';
COMMENT ON COLUMN task_drafts.saved_at IS 'When the draft was last kept.';

CREATE TABLE runs (
    run_id VARCHAR PRIMARY KEY,
    agent_id VARCHAR NOT NULL,
    kind VARCHAR NOT NULL,
    status VARCHAR NOT NULL,
    instruction VARCHAR,
    tags VARCHAR,
    created_at TIMESTAMPTZ NOT NULL,
    finished_at TIMESTAMPTZ,
    task_version INTEGER NOT NULL,
    memory_version INTEGER,
    composed_from VARCHAR NOT NULL,
    metadata VARCHAR NOT NULL
);
COMMENT ON TABLE runs IS 'Runs: each a fresh prompt, stored as its first message.';
COMMENT ON COLUMN runs.run_id IS 'Id, r_ and random characters.';
COMMENT ON COLUMN runs.agent_id IS 'The agent that ran.';
COMMENT ON COLUMN runs.kind IS 'direct, group or schedule.';
COMMENT ON COLUMN runs.status IS 'open, completed, failed or stopped.';
COMMENT ON COLUMN runs.instruction IS 'The schedule''s stored instruction; schedule runs only.';
COMMENT ON COLUMN runs.tags IS 'JSON list of the names that were tagged; group runs only.';
COMMENT ON COLUMN runs.created_at IS 'When it was created: the clock of its State.';
COMMENT ON COLUMN runs.finished_at IS 'When it ended.';
COMMENT ON COLUMN runs.task_version IS 'The Task version it was composed from (decision 26).';
COMMENT ON COLUMN runs.memory_version IS 'The memory version it was composed from; NULL with memory off.';
COMMENT ON COLUMN runs.composed_from IS 'JSON: versions and sha256 of all that the prompt was made of.';
COMMENT ON COLUMN runs.metadata IS 'JSON: memory_skipped is true or absent (decision 28).';

CREATE TABLE messages (
    run_id VARCHAR NOT NULL,
    position INTEGER NOT NULL,
    role VARCHAR NOT NULL,
    source VARCHAR,
    content VARCHAR NOT NULL,
    tool_calls VARCHAR,
    tool_call_id VARCHAR,
    created_at TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (run_id, position)
);
COMMENT ON TABLE messages IS 'The chat rows of a run; row 0 is the composed prompt and never changes (decision 27).';
COMMENT ON COLUMN messages.run_id IS 'The run.';
COMMENT ON COLUMN messages.position IS 'Place in the run, from 0.';
COMMENT ON COLUMN messages.role IS 'system, user, assistant or tool.';
COMMENT ON COLUMN messages.source IS 'What inserted the row where that is not the role''s own: memory for the reminder.';
COMMENT ON COLUMN messages.content IS 'The text as the model read or wrote it.';
COMMENT ON COLUMN messages.tool_calls IS 'JSON list of {id, name, arguments} of an assistant row.';
COMMENT ON COLUMN messages.tool_call_id IS 'The call that a tool row answers.';
COMMENT ON COLUMN messages.created_at IS 'When the row was added.';

CREATE SEQUENCE file_change_numbers;
CREATE TABLE file_changes (
    change_id BIGINT PRIMARY KEY,
    agent_id VARCHAR NOT NULL,
    path VARCHAR NOT NULL,
    file VARCHAR NOT NULL,
    action VARCHAR NOT NULL,
    version INTEGER NOT NULL,
    sha256 VARCHAR NOT NULL,
    author_kind VARCHAR NOT NULL,
    author_name VARCHAR,
    run_id VARCHAR,
    call_id VARCHAR,
    changed_at TIMESTAMPTZ NOT NULL
);
COMMENT ON TABLE file_changes IS 'The ledger of every Task save and memory write: what the provenance strip and Open step read.';
COMMENT ON COLUMN file_changes.change_id IS 'Sequence number; order is by this, never by clock (decision 14).';
COMMENT ON COLUMN file_changes.agent_id IS 'Whose file.';
COMMENT ON COLUMN file_changes.path IS 'Display path of the file.';
COMMENT ON COLUMN file_changes.file IS 'task or memory.';
COMMENT ON COLUMN file_changes.action IS 'memory_write, save, restore, publish, import or redact.';
COMMENT ON COLUMN file_changes.version IS 'The version that the change made.';
COMMENT ON COLUMN file_changes.sha256 IS 'sha256 of that version''s bytes.';
COMMENT ON COLUMN file_changes.author_kind IS 'Kind of who did it.';
COMMENT ON COLUMN file_changes.author_name IS 'Run id, or name of the operator or agent.';
COMMENT ON COLUMN file_changes.run_id IS 'The run that did it.';
COMMENT ON COLUMN file_changes.call_id IS 'Its call.';
COMMENT ON COLUMN file_changes.changed_at IS 'When.';
