import tensorflow as tf
import os
import subprocess
import sys
import lib
with lib.start() as s:
    print(s.run(tf.constant(1)))
print(subprocess.run(['sh', 'show.sh', sys.executable], capture_output=True, text=True).stdout)
