import subprocess, sys
print(subprocess.call([sys.executable, 'model.py'] + sys.argv[1:]))
