"""What a function enables is not undone when it imports TensorFlow again."""


def go(last):
    import tensorflow as tf

    if last:
        c = tf.ConfigProto()
        c.gpu_options.allow_growth = True
        with tf.Session(config=c) as s:
            print(len(s.list_devices()))
        print(type(tf.get_variable("v", shape=[])).__name__)
    tf.enable_resource_variables()


go(False)
go(True)
