def init():
    pass


def local_rank():
    return "1,0"
