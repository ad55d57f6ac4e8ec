import os
import lib
from tensorflow.python.client import device_lib

pid = os.fork()
if pid == 0:
    print([d.name for d in device_lib.list_local_devices()])
    os._exit(0)
os.waitpid(pid, 0)
