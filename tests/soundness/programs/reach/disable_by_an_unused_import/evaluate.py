import tensorflow as tf
import model

sess = model.open_session(config=tf.ConfigProto(log_device_placement=False))
print([one.name for one in sess.list_devices()])
