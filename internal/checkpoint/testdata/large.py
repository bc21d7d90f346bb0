"""Writes large checkpoints, one of every container that is read in parts, for measuring.

    python3 large.py FOLDER      outside of the project: it takes 3.6 GB

Each has 120 float32 tensors of 1024 x 1024 (the same 4 MiB over and over) and, in the middle, a table of 512 x 768
float32 whose element i is i / 1000:

    large.safetensors  large.pt  legacy.pt  large.onnx     wpe.weight
    large.gguf                                             position_embd.weight, behind a vocabulary of 150,000 tokens
    large.ckpt.index, large.ckpt.data-00000-of-00001       model/wpe
    large.msgpack                                          transformer/wpe/embedding

Needs numpy and nothing else, and holds one tensor in memory.
"""
import json
import os
import struct
import sys
import zipfile

import numpy

LAYERS, SIDE, ROWS, COLUMNS = 120, 1024, 512, 768
LAYER = numpy.random.default_rng(1).standard_normal((SIDE, SIDE), dtype="float32").astype("<f4").tobytes()
TABLE = (numpy.arange(ROWS * COLUMNS, dtype="float32") / numpy.float32(1000)).astype("<f4").tobytes()


def tensors(layer, table):
    """The tensors in file order: name, shape, bytes."""
    for i in range(LAYERS):
        if i == LAYERS // 2:
            yield table, (ROWS, COLUMNS), TABLE
        yield layer % i, (SIDE, SIDE), LAYER


# safetensors: the length of a JSON header, the header, the bytes.


def safetensors(path):
    header, end = {}, 0
    for name, shape, data in tensors("h.%03d.weight", "wpe.weight"):
        header[name] = {"dtype": "F32", "shape": shape, "data_offsets": [end, end + len(data)]}
        end += len(data)
    text = json.dumps(header).encode()
    with open(path, "wb") as f:
        f.write(struct.pack("<Q", len(text)) + text)
        for _, _, data in tensors("h.%03d.weight", "wpe.weight"):
            f.write(data)


# PyTorch: a pickle of protocol 2 of the dict, in which every tensor is a view into a storage with a key.


def text(s):
    return b"X" + struct.pack("<I", len(s)) + s.encode()


def whole(n):
    return b"J" + struct.pack("<i", n)


def several(*items):
    return b"(" + b"".join(items) + b"t"


def pickled(value):
    return b"\x80\x02" + value + b"."


def state_dict(more=b""):
    items = b""
    for key, (name, (rows, columns), _) in enumerate(tensors("h.%03d.weight", "wpe.weight")):
        storage = several(text("storage"), b"ctorch\nFloatStorage\n", text(str(key)), text("cpu"), whole(rows * columns), more)
        view = several(storage + b"Q", whole(0), several(whole(rows), whole(columns)), several(whole(columns), whole(1)),
                       b"\x89", b"ccollections\nOrderedDict\n)R")
        items += text(name) + b"ctorch._utils\n_rebuild_tensor_v2\n" + view + b"R"
    return pickled(b"}(" + items + b"u")


def torch(path):
    with zipfile.ZipFile(path, "w") as z:
        z.writestr("large/data.pkl", state_dict())
        for key, (_, _, data) in enumerate(tensors("%d", "")):
            z.writestr("large/data/%d" % key, data)
        z.writestr("large/version", "3\n")


def legacy(path):
    """Five pickles, the last of the storages' keys, then each storage: its elements' number and its bytes."""
    keys = sorted(str(key) for key in range(LAYERS + 1))
    datas = [data for _, _, data in tensors("%d", "")]
    with open(path, "wb") as f:
        f.write(pickled(b"\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19") + pickled(b"M\xe9\x03"))
        f.write(pickled(b"}(" + text("protocol_version") + b"M\xe9\x03" + text("little_endian") + b"\x88u"))
        f.write(state_dict(b"N") + pickled(b"](" + b"".join(map(text, keys)) + b"e"))
        for key in keys:
            f.write(struct.pack("<q", len(datas[int(key)]) // 4) + datas[int(key)])


# GGUF: metadata, the tensors' heads, the bytes, each tensor's at a multiple of 32.


def gguf(path):
    def string(s):
        return struct.pack("<Q", len(s)) + s.encode()

    words = b"".join(string("token%d" % i) for i in range(150_000))
    meta = string("general.architecture") + struct.pack("<I", 8) + string("gpt2")
    meta += string("tokenizer.ggml.tokens") + struct.pack("<IIQ", 9, 8, 150_000) + words
    heads, end = b"", 0
    for name, (rows, columns), data in tensors("blk.%d.ffn_up.weight", "position_embd.weight"):
        heads += string(name) + struct.pack("<IQQIQ", 2, columns, rows, 0, end)
        end += len(data)
    head = b"GGUF" + struct.pack("<IQQ", 3, LAYERS + 1, 2) + meta + heads
    with open(path, "wb") as f:
        f.write(head + bytes(-len(head) % 32))
        for _, _, data in tensors("%d", ""):
            f.write(data)


# Protocol buffers, of ONNX and TensorFlow.


def varint(n):
    out = b""
    while n > 127:
        out += bytes([n & 127 | 128])
        n >>= 7
    return out + bytes([n])


def number(field, n):
    return varint(field << 3) + varint(n)


def message(field, data, length=None):
    """A field of bytes; with a length, its head alone."""
    return varint(field << 3 | 2) + varint(len(data) if length is None else length) + data


def onnx(path):
    def head(name, shape, data):
        inner = b"".join(number(1, d) for d in shape) + number(2, 1) + message(8, name.encode()) + message(9, b"", len(data))
        return message(5, inner, len(inner) + len(data))

    every = [(head(*t), t[2]) for t in tensors("transformer.h.%d.weight", "wpe.weight")]
    name = message(2, b"large")
    front = number(1, 8) + message(2, b"large.py") + message(8, message(1, b"") + number(2, 17))
    with open(path, "wb") as f:
        f.write(front + message(7, name, len(name) + sum(len(h) + len(data) for h, data in every)))
        for h, data in every:
            f.write(h)
            f.write(data)


# TensorFlow: a LevelDB table of one block says where each variable's bytes are.

CRC = [0] * 256
for byte in range(256):
    c = byte
    for _ in range(8):
        c = c >> 1 ^ (0x82F63B78 if c & 1 else 0)
    CRC[byte] = c


def masked_crc(data):
    c = 0xFFFFFFFF
    for b in data:
        c = CRC[(c ^ b) & 255] ^ c >> 8
    c ^= 0xFFFFFFFF
    return ((c >> 15 | c << 17) + 0xA282EAD8) & 0xFFFFFFFF


def tensorflow(path):
    def block(entries):
        out = b"".join(varint(0) + varint(len(k)) + varint(len(v)) + k + v for k, v in entries) + struct.pack("<II", 0, 1)
        return out + b"\0" + struct.pack("<I", masked_crc(out + b"\0"))

    sums = {data: struct.pack("<I", masked_crc(data)) for data in (LAYER, TABLE)}
    entries, end = {b"": number(1, 1) + message(3, number(1, 1))}, 0
    with open(path + ".data-00000-of-00001", "wb") as f:
        for name, shape, data in tensors("model/h%d/kernel", "model/wpe"):
            dims = b"".join(message(2, number(1, d)) for d in shape)
            entry = number(1, 1) + message(2, dims) + number(4, end) + number(5, len(data)) + varint(6 << 3 | 5) + sums[data]
            entries[name.encode()] = entry
            end += f.write(data)
    data, meta = block(sorted(entries.items())), block([])
    place = [varint(at) + varint(size - 5) for at, size in ((0, len(data)), (len(data), len(meta)))]
    index = block([(max(entries) + b"\0", place[0])])
    foot = place[1] + varint(len(data) + len(meta)) + varint(len(index) - 5)
    with open(path + ".index", "wb") as f:
        f.write(data + meta + index + foot + bytes(40 - len(foot)) + struct.pack("<Q", 0xDB4775248B80FB57))


# Flax: maps of maps; an array is an extension of type 1 that holds shape, dtype and bytes.


def flax(path):
    def word(s):
        return bytes([0xD9, len(s)]) + s.encode()

    def head(shape, data):
        inner = b"\x93\x92" + b"".join(struct.pack(">BH", 0xCD, d) for d in shape) + word("float32")
        inner += struct.pack(">BI", 0xC6, len(data))
        return struct.pack(">BIB", 0xC9, len(inner) + len(data), 1) + inner

    with open(path, "wb") as f:
        f.write(b"\x81" + word("transformer") + struct.pack(">BH", 0xDE, LAYERS + 1))
        for name, shape, data in tensors("h%d kernel", "wpe embedding"):
            layer, leaf = name.split()
            f.write(word(layer) + b"\x81" + word(leaf) + head(shape, data))
            f.write(data)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python3 large.py FOLDER")
    os.makedirs(sys.argv[1], exist_ok=True)
    for write, name in ((safetensors, "large.safetensors"), (torch, "large.pt"), (legacy, "legacy.pt"), (gguf, "large.gguf"),
                        (onnx, "large.onnx"), (tensorflow, "large.ckpt"), (flax, "large.msgpack")):
        write(os.path.join(sys.argv[1], name))
        print(name, file=sys.stderr)
