"""Decisions: which configs are converted, under which assumptions, and why the others are kept."""
