import runpy
import tensorflow as tf
ns = runpy.run_path("settings.py")
with tf.Session(config=ns["config"]) as s: print(len(s.list_devices()))
