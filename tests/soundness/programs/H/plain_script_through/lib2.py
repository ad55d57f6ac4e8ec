import lib


def show():
    lib.ask()
