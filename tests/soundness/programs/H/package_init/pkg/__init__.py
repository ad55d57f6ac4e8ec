from . import ops, sessions  # noqa: F401
