RANK = 0
def init():
    global RANK
    import os
    RANK = int(os.environ['LOCAL_RANK'])
def local_rank():
    return RANK
