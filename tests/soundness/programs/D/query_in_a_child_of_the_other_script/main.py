import lib

with lib.session() as sess:
    print(len(sess.list_devices()))
