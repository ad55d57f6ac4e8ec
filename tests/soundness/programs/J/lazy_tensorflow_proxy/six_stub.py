import importlib
class lazy(object):
    def __init__(self, name): self._n = name
    def __getattr__(self, k): return getattr(importlib.import_module(self._n), k)
