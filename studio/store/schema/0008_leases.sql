-- Runs that another process than the owner carries on.

CREATE TABLE leases (
    run_id VARCHAR PRIMARY KEY,
    lease VARCHAR NOT NULL
);
COMMENT ON TABLE leases IS 'Runs that another process carries on, so that it can go on when the owner was started again.';
COMMENT ON COLUMN leases.run_id IS 'The run.';
COMMENT ON COLUMN leases.lease IS 'What its driver was given; whoever comes with another one carries it on no more.';
