import tensorflow as tf
import settings as cfg


def go():
    return tf.Session(config=cfg.session_config)


with go() as s:
    print(len(s.list_devices()))
