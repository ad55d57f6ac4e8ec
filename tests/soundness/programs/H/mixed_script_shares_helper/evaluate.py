import tensorflow as tf
import helpers as _helpers
