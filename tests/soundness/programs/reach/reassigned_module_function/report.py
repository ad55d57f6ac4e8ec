def show():
    print("nothing")


def finish():
    show()
