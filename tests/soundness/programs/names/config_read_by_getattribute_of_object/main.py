import lib
print(object.__getattribute__(lib, 'config'))
lib.train()
