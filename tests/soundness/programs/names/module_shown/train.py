import model
import tensorflow as tf
import ver

print(f"{tf}".partition(" from")[0])
model.go()
print(ver is not None)
