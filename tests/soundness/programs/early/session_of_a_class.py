"""A session in the body of a class of an eager program is used through its objects."""
# tensorflow: 2

import tensorflow as tf            # TensorFlow 2, eager

config = tf.compat.v1.ConfigProto()
config.gpu_options.allow_growth = True


class Model(object):
    session = tf.compat.v1.Session(config=config)

    def predict(self):
        with self.session.graph.as_default():
            with tf.device('/gpu:7'):
                c = tf.constant(1.0) + 1.0
        return self.session.run(c)


try:
    print(Model().predict().shape)
except tf.errors.InvalidArgumentError:
    print('refused')               # before; after the migration: ()
x = tf.ones([2, 2])
print(tf.matmul(x, x).shape)
