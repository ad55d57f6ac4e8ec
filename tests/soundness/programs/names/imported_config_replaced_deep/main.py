import model

model.settings.config = None
model.run()
