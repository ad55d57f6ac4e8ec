gpu = "0"
