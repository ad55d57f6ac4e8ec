import gpu
import model

gpu.setup()
model.train()
