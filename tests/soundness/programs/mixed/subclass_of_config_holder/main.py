import tensorflow as tf
from debug import DebugSettings
from settings import Settings

for settings in (DebugSettings(), Settings()):
    with tf.Graph().as_default(), tf.Session(config=settings.config) as sess:
        print(len(sess.list_devices()))
