import run
