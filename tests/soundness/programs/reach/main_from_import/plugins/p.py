def start():
    from __main__ import config
    config.allow_soft_placement = True
