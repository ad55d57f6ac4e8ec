import os


def choose(number):
    os.environ["CUDA_VISIBLE_DEVICES"] = str(number)
