"""A stand-in for Horovod: one process, the second of a machine with two GPUs."""
