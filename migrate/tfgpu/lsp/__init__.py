"""Findings and safe edits in an editor, for open files as they are there."""
