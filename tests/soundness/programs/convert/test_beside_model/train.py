from model import Model

print(Model().y)
