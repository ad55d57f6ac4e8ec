"""Keeps a leg from the user's files: what it writes is its own, what it starts ends with it.

`launcher` is the process around a leg. It runs in one of two ways (see `mechanism`): in namespaces
with overlays over every folder, or on a copy of the program's folder, with Landlock around it.
"""
