import tensorflow as tf
from estimator import Estimator, RunConfig


def model():
    return tf.random_uniform([8])


session_config = tf.ConfigProto(allow_soft_placement=True, device_count={"GPU": 1})
estimator = Estimator(model, RunConfig(session_config=session_config))
estimator.train()
estimator.evaluate()
