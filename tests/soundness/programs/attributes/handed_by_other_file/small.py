class Small:
    session = None
