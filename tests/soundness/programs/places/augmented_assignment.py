"""`sessions += [tf.Session(...)]` reads its target first, by a method that makes a plain session."""

import tensorflow as tf


class Pool(list):
    def __iadd__(self, other):
        print(len(tf.Session().list_devices()))
        self.extend(other)
        return self


pool = Pool()
pool += [tf.Session(config=tf.ConfigProto(device_count={"GPU": 1}))]
print(len(pool[0].list_devices()))
