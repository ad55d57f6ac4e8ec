import os
import tensorflow as tf
import settings as cfg
os.environ["CUDA_VISIBLE_DEVICES"] = "1"
with tf.Session(config=cfg.session_config) as sess:
    print(len(sess.list_devices()), cfg.STEPS)
