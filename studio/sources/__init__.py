"""The outside world, one file each: what is read from beyond the store and the memory directories."""
