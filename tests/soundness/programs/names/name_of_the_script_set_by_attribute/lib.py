import __main__

__main__.gpu = 'mine'


def show():
    print(type(__main__.gpu).__name__)
