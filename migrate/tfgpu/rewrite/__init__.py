"""From decisions to edits to new text."""
