import os
print(os.environ.get('TF_FORCE_GPU_ALLOW_GROWTH'))
