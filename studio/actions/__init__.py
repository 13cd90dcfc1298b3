"""What people and agents can do."""
