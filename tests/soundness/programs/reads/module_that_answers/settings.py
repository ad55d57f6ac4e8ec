def __getattr__(name):
    print("get", name)
    return True
