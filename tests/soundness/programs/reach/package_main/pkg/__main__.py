from pkg import evaluate, train

train.cpu()
evaluate.main()
