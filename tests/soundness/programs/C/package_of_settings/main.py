import os

import engine

os.environ["CUDA_VISIBLE_DEVICES"] = "1"
engine.run()
