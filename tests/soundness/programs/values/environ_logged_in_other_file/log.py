import os
def describe():
    for name, value in sorted(os.environ.items()):
        if name.startswith('TF_FORCE'):
            print(name, value)
