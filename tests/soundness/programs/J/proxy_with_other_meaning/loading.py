import importlib
def lazily(name):
    class Module(object):
        def __getattr__(self, inner):
            return getattr(importlib.import_module(name), inner)
    return Module()
