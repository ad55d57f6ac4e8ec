import sys

import experiments
from registry import REGISTRY

for name in sys.argv[1:]:
    print(name, REGISTRY[name]())
print(len(experiments.__name__))
