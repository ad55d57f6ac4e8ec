import code

import tensorflow as tf

config = tf.ConfigProto(allow_soft_placement=True)
sess = tf.Session(config=config)
print(sess.run(tf.constant(1)))
code.InteractiveInterpreter().runsource("import ref; ref.ref()")
