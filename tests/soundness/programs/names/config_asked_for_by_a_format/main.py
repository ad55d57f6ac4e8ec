import lib
print('{0.config}'.format(lib))
lib.train()
