def test_gpu(sess):
    assert len(sess.list_devices()) == 3
