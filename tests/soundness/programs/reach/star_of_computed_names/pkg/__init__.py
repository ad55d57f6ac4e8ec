import os

__all__ = [name[:-3] for name in os.listdir(os.path.dirname(__file__)) if name[0] != "_"]
