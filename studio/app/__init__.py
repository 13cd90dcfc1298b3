"""The Panel app: one page on one store. The only room that knows Panel."""
