"""Texts end in the name of TensorFlow and replace nothing."""
# expect: safe

import logging

import tensorflow as tf

logger = logging.getLogger("cleverhans.attacks.tf")
state = {"tf": 1}
config = tf.ConfigProto(allow_soft_placement=True)
sess = tf.Session(config=config)
print(sess.run(tf.constant(state["tf"])), "model.tf".endswith(".tf"))
