REGISTRY = {}


def experiment(function):
    REGISTRY[function.__name__] = function
    return function
