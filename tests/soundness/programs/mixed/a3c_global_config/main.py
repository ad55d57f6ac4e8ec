import multiprocessing

import tensorflow as tf
from runner import run

CONFIG = tf.ConfigProto(allow_soft_placement=True)
CONFIG.gpu_options.allow_growth = True

if __name__ == "__main__":
    processes = [
        multiprocessing.get_context("fork").Process(target=run, args=(CONFIG,)) for _ in range(2)
    ]
    for process in processes:
        process.start()
    for process in processes:
        process.join(20)
    print([process.exitcode for process in processes])
