import tensorflow as tf
def with_session(function):
    config = tf.ConfigProto()
    config.gpu_options.allow_growth = True
    function.sess = tf.Session(config=config)
    return function
