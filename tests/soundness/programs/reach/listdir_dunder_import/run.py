import os
here = os.path.dirname(os.path.abspath(__file__))
for f in sorted(os.listdir(here), reverse=True):
    if f.endswith('.py') and f != os.path.basename(__file__):
        __import__(f[:-3]).main()
