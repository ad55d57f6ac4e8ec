count = 0
def __getattr__(name):
    global count
    count += 1
    return count == 1
