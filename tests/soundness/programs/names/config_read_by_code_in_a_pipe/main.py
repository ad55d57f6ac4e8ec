import subprocess, sys
import lib
subprocess.run([sys.executable, '-'], input='import lib; print(lib.config)', text=True, check=True)
lib.train()
