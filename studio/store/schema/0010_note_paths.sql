-- A search for notes reads their paths too, which people often remember better than titles.
UPDATE notes SET folded_title = folded_title || chr(10) || lower(nfc_normalize(
    regexp_extract(path, '^org/[^/]+/(?:(?:agents|guilds)/[^/]+/)?notes/(.*?)(?:\.md)?$', 1)));
COMMENT ON COLUMN notes.folded_title IS 'shown_title, and below it the note''s part of its path without .md, without letter case, in one normal form: what a search reads.';
