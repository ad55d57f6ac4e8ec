import os
import subprocess
import sys
import tensorflow as tf
import lib
with lib.start() as s:
    print(s.run(tf.constant(1)))
print(subprocess.run([sys.executable], input=b'import lib\nprint(lib.config)\n', capture_output=True).stdout)
