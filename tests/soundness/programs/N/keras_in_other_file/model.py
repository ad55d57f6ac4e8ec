import numpy as np
from keras.layers import Dense
from keras.models import Sequential


def predict():
    return Sequential([Dense(2, input_shape=(3,))]).predict(np.ones((1, 3)), verbose=0).shape
