from devices import count


def log(text):
    print(text)
