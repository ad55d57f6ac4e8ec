def show():
    print('tools')
def evaluate():
    print('nothing')
