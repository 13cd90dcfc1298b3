"""How values look outside: HTML and, for programs, JSON. Nothing here decides anything."""
