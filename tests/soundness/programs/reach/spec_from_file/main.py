import importlib.util
import os

import train

path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "tools", "evaluate.py")
spec = importlib.util.spec_from_file_location("evaluate", path)
evaluate = importlib.util.module_from_spec(spec)
spec.loader.exec_module(evaluate)
train.cpu()
evaluate.main()
