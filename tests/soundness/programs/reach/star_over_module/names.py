import probe as tools
