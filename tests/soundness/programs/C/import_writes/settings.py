import os

os.environ["CUDA_VISIBLE_DEVICES"] = "1"
SIZE = 8
