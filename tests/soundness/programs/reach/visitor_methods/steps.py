import tensorflow as tf


class Steps:
    def step_1_train(self):
        with tf.Session(config=tf.ConfigProto(device_count={"GPU": 1})) as sess:
            sess.run(tf.random_uniform([8]))

    def step_2_evaluate(self):
        with tf.Graph().as_default(), tf.Session() as sess:
            print(len(sess.list_devices()))

    def run(self):
        for name in sorted(dir(self)):
            if name.startswith("step_"):
                getattr(self, name)()
