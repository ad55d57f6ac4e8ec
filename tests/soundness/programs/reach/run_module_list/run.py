import runpy, sys
for j in ('train', 'evaluate'):
    runpy.run_module(j, run_name='__main__')
