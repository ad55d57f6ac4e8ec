import argparse

parser = argparse.ArgumentParser()
parser.add_argument("--gpus", type=int, default=2)
parser.add_argument("--no_growth", dest="growth", action="store_false")
FLAGS = parser.parse_args()
