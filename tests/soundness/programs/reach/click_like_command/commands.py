import tensorflow as tf
from group import Group

COMMANDS = Group()


@COMMANDS.command()
def cpu():
    with tf.Session(config=tf.ConfigProto(device_count={"GPU": 0})) as sess:
        sess.run(tf.random_uniform([8]))


@COMMANDS.command("evaluate")
def _evaluate():
    with tf.Graph().as_default(), tf.Session() as sess:
        print(len(sess.list_devices()))
