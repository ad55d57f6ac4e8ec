GPU = 0

def gpu():
    return GPU
