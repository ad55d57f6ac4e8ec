import os
import subprocess
import sys
import tensorflow as tf
import lib
with lib.start() as s:
    print(s.run(tf.constant(1)))
print(subprocess.run(['bash', 'show.sh'], capture_output=True, text=True, env=dict(os.environ, PYTHON=sys.executable, PATH=os.path.dirname(sys.executable) + ':' + os.environ['PATH'])).stdout)
