import lib
print(lib.__getattribute__('config'))
lib.train()
