NG = 1
N = 2
