"""A function that runs at exit raises the error, which is printed only."""
import sys, atexit
import tensorflow as tf
y = tf.constant(1)
def run():
    if len(sys.argv) > 1:
        config = tf.ConfigProto(gpu_options=tf.GPUOptions(allow_growth=True))
    with tf.Session(config=config) as s: print(s.run(y))
atexit.register(run)
print('over')
