-- A run's place among all runs, and what it may do, fixed when it is created: the tools it is offered and its limits.

ALTER TABLE runs ADD COLUMN tools VARCHAR;
ALTER TABLE runs ADD COLUMN max_steps INTEGER;
ALTER TABLE runs ADD COLUMN max_tool_calls INTEGER;
ALTER TABLE runs ADD COLUMN number BIGINT;
UPDATE runs SET number = placed.place
FROM (SELECT run_id, row_number() OVER (ORDER BY created_at, run_id) AS place FROM runs) AS placed
WHERE runs.run_id = placed.run_id;
COMMENT ON COLUMN runs.tools IS 'JSON list of the tools it is offered; NULL in runs made before this was kept.';
COMMENT ON COLUMN runs.max_steps IS 'How many generations a turn of it may take; NULL likewise.';
COMMENT ON COLUMN runs.max_tool_calls IS 'How many tool calls it may make, as its State says; NULL likewise.';
COMMENT ON COLUMN runs.number IS 'Sequence number in the store; order is by this, never by clock (decision 14).';
COMMENT ON COLUMN runs.metadata IS 'JSON: memory_skipped is true or absent (decision 28); failure says why a run failed, or is absent.';
