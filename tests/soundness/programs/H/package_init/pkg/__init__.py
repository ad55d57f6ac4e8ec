from . import ops, sessions
