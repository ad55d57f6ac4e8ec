"""Python code: syntax trees, scopes, names, classes and values; no rules, no ConfigProto."""
