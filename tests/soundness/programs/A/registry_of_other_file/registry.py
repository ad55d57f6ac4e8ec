TASKS = {}


def task(name):
    def keep(function):
        TASKS[name] = function
        return function

    return keep


def run(name):
    TASKS[name]()
