"""A session is made in a fork, in front of another program."""

import subprocess
import tensorflow as tf
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
def work():
    with tf.Session(config=config) as s: r = int(s.run(tf.constant(1)))
    print('child', r, flush=True)
print(subprocess.Popen(['true'], preexec_fn=work).wait())
