import os
import lib
from tensorflow.python.client import device_lib

os.environ["CUDA_VISIBLE_DEVICES"] = "1"
print([d.name for d in device_lib.list_local_devices()])
