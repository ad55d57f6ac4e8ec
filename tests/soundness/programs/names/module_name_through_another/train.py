import model

print(model.tf.__name__)
model.go()
