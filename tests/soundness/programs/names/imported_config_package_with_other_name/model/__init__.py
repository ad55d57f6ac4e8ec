gpu = 3
