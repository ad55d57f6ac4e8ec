import pkgutil
import tensorflow as tf
run = pkgutil.resolve_name("train:run")
run()
with tf.Session() as s: print(len(s.list_devices()))
