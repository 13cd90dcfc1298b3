"""Histories from elsewhere as values: git repositories and files of versions. Nothing here writes to the store."""
