import math
import sys
import tensorflow as tf
name = 'pi' if len(sys.argv) < 2 else sys.argv[1]
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
with tf.Session(config=config) as s:
    print(s.run(tf.constant(1)))
print(eval('math.' + name))
