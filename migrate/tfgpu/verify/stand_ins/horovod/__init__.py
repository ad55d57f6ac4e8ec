"""A stand-in for Horovod in a run of one process: it tells the rank, and moves no data.

Plain Python 3.7: it runs beside the program's TensorFlow.
"""

__version__ = "0.28.1"
