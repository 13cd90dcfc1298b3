"""The memory directory's rules, on a tree of texts: layout and compiling, limits, lint, shrinking. Nothing here reads a disk."""
