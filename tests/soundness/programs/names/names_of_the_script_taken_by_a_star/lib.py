gpu = "own"
from __main__ import *


def show():
    print(gpu)
