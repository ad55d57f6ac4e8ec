from common import *
with tf.Session() as s:
    print(s.run(one()))
