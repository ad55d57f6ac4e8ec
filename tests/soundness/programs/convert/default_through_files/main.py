import sys

import other
import tensorflow as tf
from sessions import get

if __name__ == "__main__":
    if "default" in sys.argv:
        session = other.run()
    else:
        session = get("given", tf.ConfigProto(intra_op_parallelism_threads=2))
    print(session.run(tf.constant(1.0)))
