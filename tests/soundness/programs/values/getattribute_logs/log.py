class Logged(object):
    def __init__(self, values):
        object.__setattr__(self, 'values', values)
    def __getattribute__(self, name):
        print('read', name)
        return object.__getattribute__(self, 'values')[name]
