import lib
try:
    lib.train(lib.make())
except TypeError:
    raise SystemExit(4)
try:
    lib.run()
except TypeError:
    print('missing')
else:
    raise SystemExit(5)
