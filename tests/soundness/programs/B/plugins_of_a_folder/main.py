import importlib
import pkgutil

import plugins
import tensorflow as tf

with tf.Session(config=tf.ConfigProto(device_count={"GPU": 1})) as sess:
    sess.run(tf.random_uniform([8]))
for module in pkgutil.iter_modules(plugins.__path__):
    importlib.import_module("plugins." + module.name).main()
