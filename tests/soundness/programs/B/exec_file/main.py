import os

import tensorflow as tf

with tf.Session(config=tf.ConfigProto(device_count={"GPU": 1})) as sess:
    sess.run(tf.random_uniform([8]))
path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "evaluate.py")
with open(path) as file:
    exec(compile(file.read(), path, "exec"))
