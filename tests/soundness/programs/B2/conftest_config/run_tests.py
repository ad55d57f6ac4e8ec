import contextlib
import io
import os

import pytest

here = os.path.dirname(os.path.abspath(__file__))
with contextlib.redirect_stdout(io.StringIO()):
    status = pytest.main(["-q", "-p", "no:cacheprovider", "-c", "/dev/null", "--rootdir", here, here])
print(int(status))
