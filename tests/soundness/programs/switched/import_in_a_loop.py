"""What a loop enables is not undone by the next import in it."""

for step in range(2):
    import tensorflow as tf

    if not step:
        tf.enable_resource_variables()


def go():
    c = tf.ConfigProto()
    c.gpu_options.allow_growth = True
    with tf.Session(config=c) as s:
        print(len(s.list_devices()))
    print(type(tf.get_variable("v", shape=[])).__name__)


go()
