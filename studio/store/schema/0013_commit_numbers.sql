-- The number of each write, which the owner notes beside the file once it is committed: see acknowledged.py.

CREATE SEQUENCE commit_numbers;
