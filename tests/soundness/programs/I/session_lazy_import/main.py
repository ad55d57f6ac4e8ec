from gpu import Setup
sess = Setup()
import model
print(sess.run(model.build()))
