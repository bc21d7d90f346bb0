"""Writes the pickles beside this file, with CPython's own pickle module, one of
every protocol. The test holds the values as repr() prints them."""
import collections
import pathlib
import pickle

here = pathlib.Path(__file__).parent
shared = [7]
values = {
    "ints": [1, -1, 255, 256, 65536, -129, 2**40, 2**63 - 1, -(2**63), 2**63, 2**100, -(2**70)],
    "floats": [1.5, float("inf"), -2.25, 1e-300],
    "bools": (True, False, None),
    "tuples": ((), ("x",), (1, 2), (1, 2, 3), (1, 2, 3, 4)),
    "empty": [[], {}],
    "text": "é模\n\\u0041 😀",
    "long": "y" * 300,
    "shared": [shared, shared],
    "ordered": collections.OrderedDict([("k", 1), ("j", 2)]),
    (1, "z"): 3,
}
for protocol in range(6):
    (here / f"values.p{protocol}").write_bytes(pickle.dumps(values, protocol))
for protocol in (3, 4, 5):
    blob = {"bytes": b"\x00\xffab", "set": {3}, "frozen": frozenset([4]), "array": bytearray(b"hi")}
    (here / f"bytes.p{protocol}").write_bytes(pickle.dumps(blob, protocol))
