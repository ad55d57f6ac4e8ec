import os


def select_gpu(number):
    os.environ["CUDA_VISIBLE_DEVICES"] = number
