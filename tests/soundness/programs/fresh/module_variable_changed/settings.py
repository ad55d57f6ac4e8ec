COUNT = 1
def off():
    global COUNT
    COUNT = 0
