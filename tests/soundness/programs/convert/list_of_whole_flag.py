"""The list of GPUs is the text of a flag that is a whole number."""
# expect: safe

import tensorflow as tf

flags = tf.app.flags
flags.DEFINE_integer("gpu", 0, "gpu")
FLAGS = flags.FLAGS


def main(_):
    config = tf.ConfigProto()
    config.gpu_options.visible_device_list = str(FLAGS.gpu)
    with tf.Session(config=config) as sess:
        print(sess.run(tf.constant(1)))


if __name__ == "__main__":
    tf.app.run()
