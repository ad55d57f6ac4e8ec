def choose(number):
    pass
