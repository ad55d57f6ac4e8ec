import numpy as np, sys
import tensorflow as tf
K = tf.keras.backend
def net():
    m = tf.keras.models.Sequential([tf.keras.layers.Dense(1, input_shape=(2,), kernel_initializer='ones')])
    m.compile('sgd', 'mse')
    return m
config = tf.ConfigProto(gpu_options=tf.GPUOptions(per_process_gpu_memory_fraction=0.25))
def train():
    K.set_session(tf.Session(config=config))
    print(net().predict(np.ones((1, 2)), verbose=0).tolist())
def test():
    print(net().predict(np.ones((1, 2)), verbose=0).tolist())
if len(sys.argv) == 1:
    train()
else:
    test()
