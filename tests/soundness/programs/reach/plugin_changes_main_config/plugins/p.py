def start():
    import __main__ as m
    m.config.allow_soft_placement = True
def stop(): pass
