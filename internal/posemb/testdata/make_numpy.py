"""Writes numpy.json, the values that the generators' tests compare with.

Needs numpy and mpmath: python3 make_numpy.py > numpy.json
"""
import json

import mpmath
import numpy as np


def stream(seed, skip, count, draw):
    """Values skip..skip+count-1 of one kind of draw."""
    r = np.random.RandomState(seed)
    return {"seed": seed if isinstance(seed, list) else [seed], "list": isinstance(seed, list),
            "skip": skip, "values": getattr(r, draw)(skip + count)[skip:].tolist()}


def smooth(kernel, ring_len, n, d, length, noise, seed):
    """The same definition by numpy's transforms: a ring of ring_len positions."""
    k = np.minimum(np.arange(ring_len), ring_len - np.arange(ring_len))
    x = k / length
    r = (1 - noise) * {"squared-exponential": lambda: np.exp(-x * x / 2),
                       "exponential": lambda: np.exp(-x),
                       "matern32": lambda: (1 + np.sqrt(3) * x) * np.exp(-np.sqrt(3) * x)}[kernel]()
    r[0] = 1
    power = np.fft.rfft(r).real
    table = np.empty((n, d))
    for c in range(d):
        z = np.random.RandomState([seed, c]).standard_normal(ring_len)
        wave = np.empty(ring_len // 2 + 1, complex)
        wave[0], wave[-1] = z[0], z[-1]
        wave[1:-1] = (z[1:-1:2] + 1j * z[2:-1:2]) / np.sqrt(2)
        wave *= np.sqrt(power / ring_len)
        table[:, c] = np.fft.irfft(wave * ring_len, ring_len)[:n]
    return {"kernel": kernel, "n": n, "d": d, "length": length, "noise": noise, "seed": seed, "rows": table.tolist()}


def hyp(c, z):
    """2F1(1/2, 1/2; c; z), by its series where mpmath gives up and the series is short."""
    if c < 8:
        return mpmath.hyp2f1(0.5, 0.5, c, z)
    total, term, k = mpmath.mpf(1), mpmath.mpf(1), 0
    while term > 1e-30:
        term *= (k + mpmath.mpf(0.5)) ** 2 * z / ((k + c) * (k + 1))
        total, k = total + term, k + 1
    return total


def cosine(r, d):
    mpmath.mp.dps = 40
    r = mpmath.mpf(r)
    g = mpmath.gamma(mpmath.mpf(d + 1) / 2) / mpmath.gamma(mpmath.mpf(d) / 2)
    return float(r * 2 / d * g * g * hyp(mpmath.mpf(d) / 2 + 1, r * r))


np.random.seed(42)
worked = np.random.randn(11, 4).ravel().tolist()
print(json.dumps({
    "origin": f"make_numpy.py with numpy {np.__version__}, float64; expected_cosine by mpmath {mpmath.__version__}",
    "randn_11_4_seed_42": worked,
    "normal": [stream(s, k, 9, "standard_normal")
               for s, k in ((0, 0), (1, 0), (7, 100001), (12345, 1247), (2**32 - 1, 0), ([42, 0], 0), ([42, 63], 623), ([0, 1], 5000))],
    "uniform": [stream(s, k, 9, "random_sample")
                for s, k in ((0, 0), (42, 0), (42, 99999), (2**32 - 1, 311), ([42, 7], 0), ([1, 2, 3], 1000))],
    "smooth": [smooth("squared-exponential", 128, 12, 3, 6, 0.087, 42), smooth("exponential", 32, 12, 2, 6, 0, 1),
               smooth("matern32", 128, 9, 2, 2.5, 0.25, 7)],
    "expected_cosine": [[r, d, cosine(r, d)] for d in (1, 2, 3, 4, 8, 15, 16, 17, 18, 64, 100, 768, 4096, 1000000)
                        for r in (1e-9, 0.1, 0.5, -0.5, 0.9, -0.9, 0.94, 0.95, 0.99, 0.999999, 0.999999999)],
}, indent=1))
