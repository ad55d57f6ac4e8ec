import os


def init():
    pass


def local_rank():
    return int(os.environ.get("OMPI_COMM_WORLD_LOCAL_RANK", 0))
