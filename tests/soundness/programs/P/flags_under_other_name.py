"""The options of the program are parsed again between, under another name."""

from absl import flags
import tensorflow as tf


def plain():
    with tf.Session() as sess:
        print(len(sess.list_devices()))


FLAGS = tf.app.flags.FLAGS
tf.app.flags.DEFINE_integer("gpus", 1, "")
FLAGS(["program"])
config = tf.ConfigProto(device_count={"GPU": FLAGS.gpus})
plain()
flags.FLAGS(["program", "--gpus=3"])
with tf.Session(config=config) as sess:
    print(len(sess.list_devices()))
