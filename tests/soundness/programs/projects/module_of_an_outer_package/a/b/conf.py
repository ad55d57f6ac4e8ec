from gpu import make_config
