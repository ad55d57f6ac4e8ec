"""A variable is not set in a thread, which ends with the error."""
import sys, threading
import tensorflow as tf
y = tf.constant(1)
def run():
    if len(sys.argv) > 1:
        config = tf.ConfigProto(gpu_options=tf.GPUOptions(allow_growth=True))
    with tf.Session(config=config) as s: print(s.run(y))
t = threading.Thread(target=run)
t.start(); t.join()
print('done')
