import tensorflow as tf
class N:
    def __iter__(self):
        yield tf.constant(2)
X = [y for y in N()]
