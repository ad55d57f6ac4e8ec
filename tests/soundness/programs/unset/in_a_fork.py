"""A fork ends with the error, and its parent prints its status."""
import os, sys
import tensorflow as tf
y = tf.constant(1)
def run():
    if len(sys.argv) > 1:
        config = tf.ConfigProto(gpu_options=tf.GPUOptions(allow_growth=True))
    with tf.Session(config=config) as s: print(s.run(y))
pid = os.fork()
if pid == 0:
    run()
    sys.stdout.flush()
    os._exit(0)
print(os.waitpid(pid, 0)[1])
