import sessions as library


def run():
    return library.get("default", config=None)
