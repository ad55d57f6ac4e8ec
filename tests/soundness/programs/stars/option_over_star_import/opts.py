import argparse
p = argparse.ArgumentParser()
p.add_argument("--debug", action="store_true")
args = p.parse_args()
GPU = "0"
