#!/usr/bin/env bash
# Compares POSLENS with numpy and matplotlib on this machine; see README.md.
#
# usage: run.sh POSLENS [JOB...]
#
# PYTHON names the interpreter; by default the system's, whose packages are Debian's.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
python=${PYTHON:-/usr/bin/python3}
[[ -n ${PYTHON:-} || -x $python ]] || python=python3

if ! command -v "$python" >/dev/null; then
  echo "skipped: no $python; on Debian: apt-get install -y --no-install-recommends" \
    "python3 python3-numpy python3-matplotlib libopenblas0-pthread"
  exit 0
fi
exec "$python" -B "$here/bench.py" "$@"
