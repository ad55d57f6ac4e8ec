gpu = "its own"
from utils import *

print(gpu, run(tf.constant(1.0)))
with tf.Session(config=session_config) as sess:
    for _ in range(steps):
        print(sess.run(tf.constant(2.0)))
