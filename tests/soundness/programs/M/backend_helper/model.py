from keras.layers import Dense
from keras.models import Sequential


def build():
    return Sequential([Dense(2, input_shape=(3,))])
