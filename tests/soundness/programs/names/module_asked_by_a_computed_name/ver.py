def show(*modules):
    for module in modules:
        print(module.__name__)
