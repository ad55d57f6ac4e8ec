import os
import tensorflow as tf
BUILD = os.environ.get("BUILD", "1") == "1"
y = None
def step():
    global y
    y = tf.add(tf.constant(1), 2, name="y")
if BUILD:
    step()
