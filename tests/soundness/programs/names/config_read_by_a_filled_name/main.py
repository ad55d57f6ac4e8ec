import tensorflow as tf
import os
import subprocess
import sys
import lib
with lib.start() as s:
    print(s.run(tf.constant(1)))
NAME = 'config'
print(subprocess.run([sys.executable, '-c', 'import lib; print(lib.%s)' % NAME], capture_output=True, text=True).stdout)
