from base import *
if N > 5:
    growth = False
