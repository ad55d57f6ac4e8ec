"""A method makes layers of Keras before another one imports TensorFlow."""
class Net(object):
    def __init__(self):
        from keras.layers import Dense, Input
        self.x = Input((2,))
        self.y = Dense(1, kernel_initializer="zeros")(self.x)

    def run(self):
        import tensorflow as tf
        config = tf.ConfigProto()
        config.gpu_options.allow_growth = True
        with tf.Session(config=config) as sess:
            sess.run(tf.global_variables_initializer())
            print(sess.run(self.y, {self.x: [[1.0, 2.0]]}))

Net().run()
