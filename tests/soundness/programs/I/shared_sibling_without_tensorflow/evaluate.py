import model
print(model.run())
