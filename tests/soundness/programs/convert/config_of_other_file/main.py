import tensorflow as tf
import settings as cfg

with tf.Session(config=cfg.session_config) as sess:
    print(len(sess.list_devices()), cfg.STEPS)
