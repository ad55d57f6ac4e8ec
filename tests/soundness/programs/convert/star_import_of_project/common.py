import os

import tensorflow as tf
