import steps

steps.Steps().run()
