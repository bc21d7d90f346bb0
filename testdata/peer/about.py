"""Prints which numpy, BLAS and matplotlib the comparison is with; if one is missing, its Debian package, and exits 1.

numpy's own fallback for a missing BLAS is many times slower, so a comparison with it would say nothing.
"""
import os
import sys

missing, found = [], []
try:
    import numpy

    found.append(f"numpy {numpy.__version__}")
except ImportError:
    missing.append("python3-numpy")
try:
    import matplotlib

    found.append(f"matplotlib {matplotlib.__version__}")
except ImportError:
    missing.append("python3-matplotlib")

# The BLAS is a library that numpy loaded; only Linux tells which, and other systems are taken at their word.
if not missing and os.path.exists("/proc/self/maps"):
    with open("/proc/self/maps", encoding="utf-8") as maps:
        loaded = maps.read().lower()
    fast = [name for name in ("openblas", "mkl", "blis") if name in loaded]
    if fast:
        found.append(f"BLAS {fast[0]}")
    else:
        missing.append("libopenblas0-pthread")

if missing:
    print(" ".join(missing))
    sys.exit(1)
print(", ".join(found))
