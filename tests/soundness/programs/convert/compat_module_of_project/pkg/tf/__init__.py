from . import compat
