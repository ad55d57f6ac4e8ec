import sys
def need(name):
    __import__(name)
    return sys.modules[name]
