import os, sys
import lib
assert os.system(sys.executable + ' -c "import lib; print(lib.config)"') == 0
lib.train()
