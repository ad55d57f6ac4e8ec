import tensorflow as tf

CODE = "import tensorflow.compat.v1 as tf\n\nprint(tf.Session().run(tf.constant(1)))\n"
with open("prepare.py", "w") as file:
    file.write(CODE)


def work():
    config = tf.ConfigProto()
    config.gpu_options.per_process_gpu_memory_fraction = 0.3
    import prepare
    with tf.Session(config=config) as sess:
        print(sess.run(tf.constant(1)))


work()
