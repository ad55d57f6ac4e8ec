config.intra_op_parallelism_threads = 2
