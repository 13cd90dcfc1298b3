"""An agent's memory directory: linked, read as versions, composed and edited by commit (decision 1)."""
