import model

model.given = None
model.run()
