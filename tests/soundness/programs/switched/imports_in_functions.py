"""What a function enables is not undone by a later import, which is in another function."""


def setup():
    import tensorflow as tf

    tf.enable_resource_variables()


def go():
    import tensorflow as tf

    c = tf.ConfigProto()
    c.gpu_options.allow_growth = True
    with tf.Session(config=c) as s:
        print(len(s.list_devices()))
    print(type(tf.get_variable("v", shape=[])).__name__)


setup()
go()
