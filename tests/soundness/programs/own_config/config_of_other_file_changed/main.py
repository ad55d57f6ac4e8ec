import tensorflow as tf
import settings as cfg
cfg.session_config.device_count["GPU"] = 0
with tf.Session(config=cfg.session_config) as sess:
    print(len(sess.list_devices()), cfg.STEPS)
