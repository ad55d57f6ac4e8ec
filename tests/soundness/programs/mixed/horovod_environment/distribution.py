import os

import horovod.tensorflow as hvd


def pin():
    hvd.init()
    os.environ["CUDA_VISIBLE_DEVICES"] = str(hvd.local_rank())
