def setup():
    import gpu
    return gpu.Setup()

sess = setup()
import model
print(sess.run(model.build()))
