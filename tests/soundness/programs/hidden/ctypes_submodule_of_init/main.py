import conf
conf.main()
print(conf.ctypes.X)
