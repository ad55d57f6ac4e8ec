"""ConfigProto in a program: where it is built and set, and which sessions take it."""
