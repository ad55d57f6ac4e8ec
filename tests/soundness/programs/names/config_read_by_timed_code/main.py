import tensorflow as tf
import os
import subprocess
import sys
import lib
with lib.start() as s:
    print(s.run(tf.constant(1)))
import timeit
timeit.timeit('print(lib.config)', 'import lib', number=1)
