ctypes = "c"
from helper import *

with session() as sess:
    print(sess.run(tf.constant(1.0)))
print(ctypes)
