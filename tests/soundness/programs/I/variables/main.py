import model
import tensorflow as tf

sess = tf.Session(config=tf.ConfigProto(device_count={"GPU": 0}))
variable = model.counter()
sess.run(tf.global_variables_initializer())
print(sess.run(variable), variable.op.type)
