"""Prints the best of five times, in seconds, of the cosine matrix of a random N x D table, in memory.

usage: gram.py N D single|double
"""
import sys
import time

import numpy as np

n, width = int(sys.argv[1]), int(sys.argv[2])
table = np.random.default_rng(1).standard_normal((n, width)).astype(sys.argv[3])

times = []
for _ in range(5):
    start = time.perf_counter()
    unit = table / (np.linalg.norm(table, axis=1, keepdims=True) + 1e-8)
    cosine = unit @ unit.T
    times.append(time.perf_counter() - start)
print(min(times))
