import utils
import numpy as np
import tensorflow as tf
from tensorflow.keras.layers import Dense, Lambda
from tensorflow.keras.models import Sequential
from tensorflow.keras.optimizers import SGD
m = Sequential([Dense(1, input_shape=(3,)), Lambda(lambda x: x * 2)])
m.compile(SGD(lr=0.1), 'mse')
m.fit(np.zeros((4, 3)), np.zeros((4, 1)), verbose=0)
print("done")
