from tensorflow.keras.models import Sequential
from tensorflow.keras.layers import Dense
import tensorflow.keras as keras
def build():
    m = Sequential([Dense(1, input_shape=(4,))])
    m.compile(optimizer=keras.optimizers.Adam(lr=0.1, decay=1e-4), loss='mse')
    return m
