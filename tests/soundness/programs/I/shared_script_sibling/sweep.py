import evaluate
for n in range(2):
    evaluate.main(n)
