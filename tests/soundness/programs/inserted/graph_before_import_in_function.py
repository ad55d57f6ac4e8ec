"""One function imports a name of TensorFlow, another one TensorFlow, and the first runs first."""
def build():
    from tensorflow import placeholder
    return placeholder("float32", [])
def main(x):
    import tensorflow as tf
    config = tf.ConfigProto()
    config.gpu_options.allow_growth = True
    with tf.Session(config=config) as sess:
        print(sess.run(x + 1, {x: 2.0}))
main(build())
