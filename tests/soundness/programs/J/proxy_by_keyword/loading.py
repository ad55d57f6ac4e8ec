import importlib
class Module(object):
    def __init__(self, local, path=None):
        self.path = path
    def __getattr__(self, name):
        return getattr(importlib.import_module(self.path), name)
