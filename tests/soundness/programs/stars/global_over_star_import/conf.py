growth = 1
