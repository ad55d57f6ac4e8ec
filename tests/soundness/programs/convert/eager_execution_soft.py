"""enable_eager_execution with a config of soft placement and one GPU."""
# tensorflow: 1
# expect: safe

import tensorflow as tf

tf.enable_eager_execution(config=tf.ConfigProto(allow_soft_placement=True, device_count={"GPU": 1}))
print(tf.random.uniform([8]).shape)
