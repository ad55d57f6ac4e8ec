import os
import subprocess
import sys
import tensorflow as tf
import lib
with lib.start() as s:
    print(s.run(tf.constant(1)))
CODE = 'import lib; ' + 'print(lib.config)'
print(subprocess.check_output([sys.executable, '-c', CODE]))
