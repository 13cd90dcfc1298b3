-- Imports that took more history than before and began the numbers of an agent anew (decision 48).

ALTER TABLE agents ADD COLUMN source_restarted_at TIMESTAMPTZ;
COMMENT ON COLUMN agents.source_restarted_at IS 'When an import began the memory''s numbers anew; NULL where none did.';
