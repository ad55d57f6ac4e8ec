import subprocess, sys
import main
print('all')
