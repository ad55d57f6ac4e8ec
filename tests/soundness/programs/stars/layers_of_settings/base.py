growth = True
N = 2
