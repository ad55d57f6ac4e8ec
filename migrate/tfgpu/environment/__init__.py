"""What shell scripts, Dockerfiles, YAML and their kin say about GPUs, through the environment."""
