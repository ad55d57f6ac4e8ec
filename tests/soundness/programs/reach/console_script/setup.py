from setuptools import setup

setup(name="pkg", entry_points={"console_scripts": ["pkg-train = pkg.cli:main"]})
