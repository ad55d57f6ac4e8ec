"""A call takes two sessions; the plain one is made first, by a function of the file."""
import tensorflow as tf

config = tf.ConfigProto(device_count={"GPU": 1})


def plain():
    return tf.Session()


def show(*sessions):
    print([len(sess.list_devices()) for sess in sessions])


def run():
    show(plain(), tf.Session(config=config))


run()
