"""A memory directory on disk: its repository, the hook, secrets and the audit."""
