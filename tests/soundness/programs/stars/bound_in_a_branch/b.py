import sys
if len(sys.argv) > 4:
    G = '1'
