config.allow_soft_placement = True
