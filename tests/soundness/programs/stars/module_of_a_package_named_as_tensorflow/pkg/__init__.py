from .tf import constant
