import sys
import tensorflow as tf
name = 'LIB'.lower()
__import__(name)
print(sys.modules[name].run(None, 4))
