import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "src"))
from acme.metrics.tools import check
from acme.vision import trainer

made = trainer.Trainer()
check.check()
made.train()
