$1 - <<EOF
import lib
print(lib.config)
EOF
