"""tf.config: details, logical devices with limits, visible devices, memory figures, profiler."""

import tempfile

import tensorflow as tf

gpus = tf.config.list_physical_devices("GPU")
assert len(gpus) == 3
details = tf.config.experimental.get_device_details(gpus[0])
assert details == {"device_name": "Tesla T4", "compute_capability": (7, 5)}, details
tf.config.set_visible_devices(gpus[:2], "GPU")
limits = [tf.config.LogicalDeviceConfiguration(memory_limit=size) for size in (1024, 2048)]
tf.config.set_logical_device_configuration(gpus[1], limits)
assert [device.name for device in tf.config.list_logical_devices("GPU")] == [
    "/device:GPU:0",
    "/device:GPU:1",
    "/device:GPU:2",
]
with tf.device("/gpu:2"):
    held = tf.ones([1 << 20])
assert held.device.endswith("GPU:2")
assert tf.config.experimental.get_memory_info("GPU:2")["current"] >= 4 << 20
with tf.device("/gpu:0"):
    copied = tf.identity(held)  # from one card to another
assert copied.device.endswith("GPU:0")
tf.config.experimental.reset_memory_stats("GPU:2")
with tempfile.TemporaryDirectory() as folder:
    tf.profiler.experimental.start(folder)
    tf.reduce_sum(held)
    tf.profiler.experimental.stop()
print("ok")
