import numpy as np
import utils
from model import build_model

model = build_model()
model.fit(np.zeros((4, 4)), np.zeros((4, 1)), verbose=0)
