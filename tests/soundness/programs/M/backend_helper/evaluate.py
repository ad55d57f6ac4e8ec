import numpy as np
from model import build

print(build().predict(np.ones((1, 3)), verbose=0).shape)
