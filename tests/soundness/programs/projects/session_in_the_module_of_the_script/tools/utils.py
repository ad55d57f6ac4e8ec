def evaluate():
    print('tools')
