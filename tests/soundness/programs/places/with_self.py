"""`with tf.Session(config=...) as self.sess`, nested in another session's `with`."""

import tensorflow as tf


class Model:
    def run(self):
        with tf.Session() as outer:
            with tf.Session(config=tf.ConfigProto(device_count={"GPU": 1})) as self.sess:
                print(len(self.sess.list_devices()), len(outer.list_devices()))
                with tf.Session() as inner:
                    print(len(inner.list_devices()))


Model().run()
