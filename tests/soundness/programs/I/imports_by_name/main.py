import importlib
gpu = importlib.import_module("gpu")
sess = gpu.Setup()
model = importlib.import_module("model")
print(sess.run(model.build()))
