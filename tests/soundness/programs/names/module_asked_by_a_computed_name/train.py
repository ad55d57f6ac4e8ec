import model
import tensorflow as tf
import ver

print(getattr(tf, "__na" + "me__"))
model.go()
print(ver is not None)
