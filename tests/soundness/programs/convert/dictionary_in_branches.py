"""A dictionary of settings is filled under if and else, and given as **settings."""
# argv: --cpu
# expect: safe

import sys

import tensorflow as tf

settings = {"allow_soft_placement": True}
if "--cpu" in sys.argv:
    settings["device_count"] = {"GPU": 0}
else:
    settings["log_device_placement"] = True
with tf.Session(config=tf.ConfigProto(**settings)) as sess:
    print(len(sess.list_devices()))
