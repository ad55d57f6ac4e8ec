from model.train import run

run()
