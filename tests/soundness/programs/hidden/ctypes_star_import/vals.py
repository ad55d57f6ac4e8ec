ctypes = 1
