import functools

_WAITING = []


def keep(dataset):
    _WAITING.append(functools.partial(getattr, dataset))


def run():
    for find in _WAITING:
        find("iterator")()
