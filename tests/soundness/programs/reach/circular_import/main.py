import train

train.run()
