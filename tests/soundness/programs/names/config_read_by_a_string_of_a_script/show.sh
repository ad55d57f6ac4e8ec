python - <<< "import lib; print(lib.config)"
