import numpy as np

import gpu
import model

gpu.setup()
made = model.build()
data = np.ones((4, 2), "float32")
history = made.fit(data, data, verbose=0)
print(sorted(history.history), made.metrics_names)
