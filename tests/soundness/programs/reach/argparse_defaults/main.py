import argparse

import evaluate
import train

parser = argparse.ArgumentParser()
commands = parser.add_subparsers()
commands.add_parser("eval").set_defaults(func=evaluate.main)
args = parser.parse_args()
train.cpu()
args.func()
