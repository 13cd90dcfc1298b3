-- Notes, collections, and all that State shows.

CREATE TABLE notes (
    path VARCHAR PRIMARY KEY,
    org_id VARCHAR NOT NULL,
    level VARCHAR NOT NULL,
    owner_id VARCHAR NOT NULL,
    title VARCHAR,
    body VARCHAR NOT NULL,
    shown_title VARCHAR NOT NULL,
    sha256 VARCHAR NOT NULL,
    characters INTEGER NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    updated_at TIMESTAMPTZ NOT NULL,
    author_kind VARCHAR NOT NULL,
    author_name VARCHAR,
    folded_title VARCHAR NOT NULL,
    folded_body VARCHAR NOT NULL
);
COMMENT ON TABLE notes IS 'Markdown notes at agent, guild and organisation level.';
COMMENT ON COLUMN notes.path IS 'Display path: what agents and Tasks name it by.';
COMMENT ON COLUMN notes.org_id IS 'The organisation it belongs to.';
COMMENT ON COLUMN notes.level IS 'agent, guild or org.';
COMMENT ON COLUMN notes.owner_id IS 'The id of that agent, guild or organisation.';
COMMENT ON COLUMN notes.title IS 'The title field, where its writer set one.';
COMMENT ON COLUMN notes.body IS 'The Markdown exactly as written.';
COMMENT ON COLUMN notes.shown_title IS 'Title field, else first heading, else file stem (decision 23).';
COMMENT ON COLUMN notes.sha256 IS 'sha256 of the body as UTF-8.';
COMMENT ON COLUMN notes.characters IS 'Size of the body.';
COMMENT ON COLUMN notes.created_at IS 'When it was made.';
COMMENT ON COLUMN notes.updated_at IS 'When it was last written.';
COMMENT ON COLUMN notes.author_kind IS 'Kind of who wrote it last.';
COMMENT ON COLUMN notes.author_name IS 'Run id, or name of the operator or agent.';
COMMENT ON COLUMN notes.folded_title IS 'shown_title without letter case, in one normal form: what a search reads.';
COMMENT ON COLUMN notes.folded_body IS 'body likewise.';

CREATE TABLE collections (
    path VARCHAR PRIMARY KEY,
    org_id VARCHAR NOT NULL,
    level VARCHAR NOT NULL,
    owner_id VARCHAR NOT NULL,
    name VARCHAR NOT NULL,
    purpose VARCHAR,
    columns VARCHAR NOT NULL,
    created_at TIMESTAMPTZ NOT NULL
);
COMMENT ON TABLE collections IS 'Tables that operators define.';
COMMENT ON COLUMN collections.path IS 'Display path.';
COMMENT ON COLUMN collections.org_id IS 'The organisation it belongs to.';
COMMENT ON COLUMN collections.level IS 'agent, guild or org.';
COMMENT ON COLUMN collections.owner_id IS 'The id of that agent, guild or organisation.';
COMMENT ON COLUMN collections.name IS 'Its name, the last part of the path.';
COMMENT ON COLUMN collections.purpose IS 'What it is for.';
COMMENT ON COLUMN collections.columns IS 'JSON list of {name, description} in order.';
COMMENT ON COLUMN collections.created_at IS 'When it was made.';

CREATE TABLE collection_grants (
    agent_id VARCHAR NOT NULL,
    path VARCHAR NOT NULL,
    access VARCHAR NOT NULL,
    PRIMARY KEY (agent_id, path)
);
COMMENT ON TABLE collection_grants IS 'Which agent may use which collection.';
COMMENT ON COLUMN collection_grants.agent_id IS 'The agent.';
COMMENT ON COLUMN collection_grants.path IS 'The collection.';
COMMENT ON COLUMN collection_grants.access IS 'read, or write (which reads too).';

CREATE TABLE records (
    path VARCHAR NOT NULL,
    record_id VARCHAR NOT NULL,
    record VARCHAR NOT NULL,
    updated_at TIMESTAMPTZ NOT NULL,
    author_kind VARCHAR NOT NULL,
    author_name VARCHAR,
    PRIMARY KEY (path, record_id)
);
COMMENT ON TABLE records IS 'Rows of collections.';
COMMENT ON COLUMN records.path IS 'The collection.';
COMMENT ON COLUMN records.record_id IS 'Id within the collection.';
COMMENT ON COLUMN records.record IS 'JSON object: value by column name.';
COMMENT ON COLUMN records.updated_at IS 'When it was last written.';
COMMENT ON COLUMN records.author_kind IS 'Kind of who wrote it last.';
COMMENT ON COLUMN records.author_name IS 'Run id, or name of the operator or agent.';

CREATE TABLE bindings (
    scope VARCHAR NOT NULL,
    scope_id VARCHAR NOT NULL,
    name VARCHAR NOT NULL,
    turned_on BOOLEAN,
    login VARCHAR,
    PRIMARY KEY (scope, scope_id, name)
);
COMMENT ON TABLE bindings IS 'What a scope sets of a tool, a grant or a login (decision 10).';
COMMENT ON COLUMN bindings.scope IS 'instance, org, guild or agent.';
COMMENT ON COLUMN bindings.scope_id IS 'The id of that org, guild or agent; * for the instance.';
COMMENT ON COLUMN bindings.name IS 'memory_write, note_find, guild_notes_read, prices and so on.';
COMMENT ON COLUMN bindings.turned_on IS 'false turns it off for all below; NULL says nothing.';
COMMENT ON COLUMN bindings.login IS 'Name of the login to use from this scope down; NULL says nothing.';

CREATE TABLE logins (
    name VARCHAR PRIMARY KEY,
    kind VARCHAR NOT NULL,
    base_url VARCHAR,
    secret_name VARCHAR,
    pinned_prices VARCHAR NOT NULL
);
COMMENT ON TABLE logins IS 'Connections to services outside.';
COMMENT ON COLUMN logins.name IS 'Its name; bindings name it by this.';
COMMENT ON COLUMN logins.kind IS 'coingecko.';
COMMENT ON COLUMN logins.base_url IS 'Where the service is; NULL is its public address.';
COMMENT ON COLUMN logins.secret_name IS 'Name of the environment variable that holds its key; never the key.';
COMMENT ON COLUMN logins.pinned_prices IS 'JSON list of {id, symbol, name} in stored order.';

CREATE TABLE group_messages (
    guild_id VARCHAR NOT NULL,
    position BIGINT NOT NULL,
    sender VARCHAR NOT NULL,
    content VARCHAR NOT NULL,
    public BOOLEAN NOT NULL,
    tags VARCHAR NOT NULL,
    run_id VARCHAR,
    posted_at TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (guild_id, position)
);
COMMENT ON TABLE group_messages IS 'The group chat of each guild.';
COMMENT ON COLUMN group_messages.guild_id IS 'The guild.';
COMMENT ON COLUMN group_messages.position IS 'Place in the chat, from 1; order is by this, never by clock.';
COMMENT ON COLUMN group_messages.sender IS 'Name of the agent or operator.';
COMMENT ON COLUMN group_messages.content IS 'The text as written.';
COMMENT ON COLUMN group_messages.public IS 'Whether agents see it in State.';
COMMENT ON COLUMN group_messages.tags IS 'JSON list of the names it tags.';
COMMENT ON COLUMN group_messages.run_id IS 'The run that posted it, if one did.';
COMMENT ON COLUMN group_messages.posted_at IS 'When.';

CREATE TABLE scripts (
    agent_id VARCHAR NOT NULL,
    position INTEGER NOT NULL,
    name VARCHAR NOT NULL,
    description VARCHAR,
    PRIMARY KEY (agent_id, name)
);
COMMENT ON TABLE scripts IS 'The script catalog of an agent.';
COMMENT ON COLUMN scripts.agent_id IS 'The agent.';
COMMENT ON COLUMN scripts.position IS 'Place in the list, from 1.';
COMMENT ON COLUMN scripts.name IS 'Its name.';
COMMENT ON COLUMN scripts.description IS 'What it does.';

CREATE TABLE environments (
    agent_id VARCHAR NOT NULL,
    position INTEGER NOT NULL,
    name VARCHAR NOT NULL,
    description VARCHAR,
    bound BOOLEAN NOT NULL,
    PRIMARY KEY (agent_id, name)
);
COMMENT ON TABLE environments IS 'Environments by name and description; never their values.';
COMMENT ON COLUMN environments.agent_id IS 'The agent.';
COMMENT ON COLUMN environments.position IS 'Place in the list, from 1.';
COMMENT ON COLUMN environments.name IS 'Its name.';
COMMENT ON COLUMN environments.description IS 'What it is for.';
COMMENT ON COLUMN environments.bound IS 'Whether it is bound to the agent; State lists bound ones only.';

CREATE TABLE repositories (
    guild_id VARCHAR NOT NULL,
    position INTEGER NOT NULL,
    name VARCHAR NOT NULL,
    path VARCHAR NOT NULL,
    default_branch VARCHAR NOT NULL,
    PRIMARY KEY (guild_id, name)
);
COMMENT ON TABLE repositories IS 'The repositories of a guild, listed for its coding agents.';
COMMENT ON COLUMN repositories.guild_id IS 'The guild.';
COMMENT ON COLUMN repositories.position IS 'Place in the list, from 1.';
COMMENT ON COLUMN repositories.name IS 'Its name.';
COMMENT ON COLUMN repositories.path IS 'Its working-tree path.';
COMMENT ON COLUMN repositories.default_branch IS 'Its default branch.';

CREATE TABLE agent_tools (
    agent_id VARCHAR NOT NULL,
    flag VARCHAR NOT NULL,
    PRIMARY KEY (agent_id, flag)
);
COMMENT ON TABLE agent_tools IS 'What an agent''s runtime registers tools for: search, browser, coding, sandbox, schedule (decision 21).';
COMMENT ON COLUMN agent_tools.agent_id IS 'The agent.';
COMMENT ON COLUMN agent_tools.flag IS 'The flag of the Guidelines.';

CREATE TABLE problems (
    problem_id VARCHAR PRIMARY KEY,
    agent_id VARCHAR NOT NULL,
    run_id VARCHAR,
    report VARCHAR NOT NULL,
    reported_at TIMESTAMPTZ NOT NULL
);
COMMENT ON TABLE problems IS 'Tooling problems that agents filed with report_issue.';
COMMENT ON COLUMN problems.problem_id IS 'Its id.';
COMMENT ON COLUMN problems.agent_id IS 'The agent that filed it.';
COMMENT ON COLUMN problems.run_id IS 'The run it was filed in.';
COMMENT ON COLUMN problems.report IS 'What it says.';
COMMENT ON COLUMN problems.reported_at IS 'When.';
