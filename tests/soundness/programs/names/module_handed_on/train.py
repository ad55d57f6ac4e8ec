import model
import tensorflow as tf
import ver

ver.show(tf)
model.go()
print(ver is not None)
