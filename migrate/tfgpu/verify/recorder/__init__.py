"""Runs a program as a leg and writes down what TensorFlow does in it.

This folder runs inside the leg's process, under the interpreter of the program: Python 3.7 or
newer, the standard library, and whatever TensorFlow the program imports. It is started by its path
and imports nothing else of this project.
"""
