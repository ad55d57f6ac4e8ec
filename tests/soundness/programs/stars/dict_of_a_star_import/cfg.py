def dict(**k): return {}
