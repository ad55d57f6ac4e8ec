from pickle import loads


def everything():
    found = {}
    found["a"] = loads(b"cforeign_tools\nHelper\n(tR.")
    return [found[key] for key in found]
