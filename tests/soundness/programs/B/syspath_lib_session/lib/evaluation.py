import tensorflow.compat.v1 as tf
def run():
    with tf.Graph().as_default(), tf.device('/gpu:5'):
        x = tf.constant(1.) + 1.
        with tf.Session() as s:
            try: print(s.run(x) >= 0)
            except tf.errors.InvalidArgumentError: print('refused')
