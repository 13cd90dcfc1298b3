"""The command line: noun then verb. Each noun is a module; `main` puts them together."""
