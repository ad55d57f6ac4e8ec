import tensorflow as tf
def f(): return tf.constant(1)
if 1:
    X = f()
