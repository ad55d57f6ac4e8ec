import tensorflow as tf
import sys
import string
import lib
with lib.start() as s:
    print(s.run(tf.constant(1)))
class V:
    mod = lib
print('{v.mod.config}'.format(v=V))
