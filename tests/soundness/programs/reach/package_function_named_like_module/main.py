from pkg import evaluate, train

train()
evaluate()
