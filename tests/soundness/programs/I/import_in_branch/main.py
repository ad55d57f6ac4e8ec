import sys
if len(sys.argv) > 5:
    import gpu
import other
