-- What a run may do, fixed when it is created: the tools it is offered and its limits.

ALTER TABLE runs ADD COLUMN tools VARCHAR;
ALTER TABLE runs ADD COLUMN max_steps INTEGER;
ALTER TABLE runs ADD COLUMN max_tool_calls INTEGER;
COMMENT ON COLUMN runs.tools IS 'JSON list of the tools it is offered; NULL in runs made before this was kept.';
COMMENT ON COLUMN runs.max_steps IS 'How many generations a turn of it may take; NULL likewise.';
COMMENT ON COLUMN runs.max_tool_calls IS 'How many tool calls it may make, as its State says; NULL likewise.';
COMMENT ON COLUMN runs.metadata IS 'JSON: memory_skipped is true or absent (decision 28); failure says why a run failed, or is absent.';
