import lib2

print(lib2.__name__)
