def f():
    global G
    G = '1'
