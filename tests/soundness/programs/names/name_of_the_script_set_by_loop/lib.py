import __main__

for __main__.gpu in ["mine"]:
    pass


def show():
    print(type(__main__.gpu).__name__)
