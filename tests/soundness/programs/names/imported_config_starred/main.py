import tensorflow as tf

settings = {"steps": 2}
from model import *

with make() as sess:
    print(sess.run(tf.constant([1.0]) * settings["steps"]))
