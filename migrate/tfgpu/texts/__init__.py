"""ConfigProto outside of Python code: as text, in other languages; what each field means."""
