import os


class Worker:
    def __init__(self, gpu):
        os.environ["CUDA_VISIBLE_DEVICES"] = "%d" % gpu
