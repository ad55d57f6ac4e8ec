import sys


class Group(dict):
    def command(self, name=None):
        def keep(function):
            self[name or function.__name__] = function
            return function

        return keep

    def run_all(self):
        for name in sys.argv[1:]:
            self[name]()
