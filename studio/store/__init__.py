"""The only room that knows DuckDB: the schema, the database, and one module for each kind of row."""
