import tensorflow as tf
import settings as cfg
from settings import session_config
with tf.Session(config=cfg.session_config) as sess:
    print(len(sess.list_devices()), cfg.STEPS)
