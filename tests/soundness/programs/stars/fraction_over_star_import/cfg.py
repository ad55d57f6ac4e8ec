FRAC = 0.5
N = 2
