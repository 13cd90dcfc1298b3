"""Pure rules, named with the spec's nouns: no clock, files, database or HTML."""
