"""The rules of rules/*.toml as objects."""
