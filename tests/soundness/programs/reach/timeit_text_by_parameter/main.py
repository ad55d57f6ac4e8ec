import timeit

import train

train.cpu()


def measure(step, setup="pass"):
    return timeit.timeit(step, setup, number=1)


print(measure(lambda: None) >= 0)
print(measure("evaluate.main()", "import evaluate") > 0)
