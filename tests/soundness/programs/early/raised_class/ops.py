import tensorflow as tf


class Problem(Exception):
    def __init__(self):
        print(tf.nn.relu([1.0]))


try:
    raise Problem
except Problem:
    pass
