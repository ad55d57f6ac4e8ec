growth = True
