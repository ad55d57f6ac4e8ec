import lib2

lib2.show()
