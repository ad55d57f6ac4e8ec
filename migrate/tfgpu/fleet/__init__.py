"""Many repositories: each is audited by itself, and all come into one dataset."""
