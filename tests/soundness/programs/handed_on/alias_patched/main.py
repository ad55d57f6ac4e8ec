from unittest import mock

import gpu


@mock.patch("gpu.tf")
def test(tf_):
    gpu.open_session()
    print(sorted(tf_.Session.call_args[1]))


test()
