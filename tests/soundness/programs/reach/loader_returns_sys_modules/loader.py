import sys
def resolve(name):
    __import__(name)
    return sys.modules[name]
