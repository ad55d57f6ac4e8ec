import logging
import logging.config

import tensorflow as tf

config = tf.ConfigProto(allow_soft_placement=True)
sess = tf.Session(config=config)
print(sess.run(tf.constant(1)))
settings = {"version": 1, "root": {"handlers": ["h"]}}
settings["handlers"] = {"h": {"class": "ref.Handler"}}
logging.config.dictConfig(settings)
logging.warning("x")
