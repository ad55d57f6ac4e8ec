from net import out
from gpu import start
sess = start()
print(sess.run(out()).shape)
