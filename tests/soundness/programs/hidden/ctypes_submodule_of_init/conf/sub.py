from . import ctypes
