import evaluate
from train import Trainer

trainer = Trainer()
evaluate.main()
trainer.run()
