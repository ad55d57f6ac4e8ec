import os, subprocess, sys
def launch():
    env = dict(os.environ)
    subprocess.run([sys.executable, 'child.py'], env=env)
