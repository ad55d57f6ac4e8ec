"""A hook of two classes is replaced by a method of a supervisor, which makes a session."""

import tensorflow as tf


class Base(object):
    def prepare_or_wait_for_session(self, master="", config=None):
        return None

    def start(self):
        return self.prepare_or_wait_for_session(config=tf.ConfigProto(device_count={"GPU": 1}))


class Other(Base):
    def prepare_or_wait_for_session(self, master="", config=None):
        return None


supervisor = tf.train.Supervisor(logdir=None)
Other.prepare_or_wait_for_session = staticmethod(supervisor.prepare_or_wait_for_session)
first = tf.Session(config=tf.ConfigProto(device_count={"GPU": 2}))
print(len(first.list_devices()))
print(len(Other().start().list_devices()))
