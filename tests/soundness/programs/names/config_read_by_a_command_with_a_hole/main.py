import subprocess, sys
import lib
subprocess.run(f'{sys.executable} -c "import lib; print(lib.config)"', shell=True, check=True)
lib.train()
