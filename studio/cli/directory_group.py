"""The noun `dir`; its verbs are in the modules beside it, which `register` brings in."""

from studio.cli.session import noun

dir_group = noun("A memory directory: a git repository of Markdown that is compiled into a prompt.")
"""Every verb on a memory directory."""
