def note(seen):
    seen.append(1)


def afterwards():
    print("done")


STEPS = [note]
