from pkg import evaluate, train


def main():
    train.cpu()
    evaluate.main()
