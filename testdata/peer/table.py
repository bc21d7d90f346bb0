"""Writes a float32 table of N positions x D, seeded: a slow random walk under noise, so that near positions are alike.

usage: table.py OUT.npy N D
"""
import sys

import numpy as np

out_path, n, width = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
noise = np.random.default_rng(n).standard_normal((n, width), dtype=np.float32)
np.save(out_path, noise + np.float32(0.05) * np.cumsum(noise, axis=0, dtype=np.float32))
