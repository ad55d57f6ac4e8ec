class Described(object):
    def describe(self):
        return sorted(vars(self))
