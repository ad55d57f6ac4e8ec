import numpy as np
from tensorflow.keras import backend as K
from gpu import limit
from model import build
limit()
m = build()
m.fit(np.zeros((4, 4)), np.zeros((4, 1)), verbose=0)
print(m.predict(np.zeros((2, 4)), verbose=0).shape)
