"""Programs: which files import each other, are analysed together, and decided together."""
