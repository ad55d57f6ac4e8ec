def count():
    from tensorflow.python.client import device_lib

    return len(device_lib.list_local_devices())
