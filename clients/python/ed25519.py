"""Ed25519 signatures (RFC 8032), checked in plain integers: slow, but enough for one list."""

import hashlib

P, L = 2**255 - 19, 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
ROOT = pow(2, (P - 1) // 4, P)


def add(a, b):
    """The sum of two points in extended coordinates (x, y, z, x·y/z)."""
    m, n = (a[1] - a[0]) * (b[1] - b[0]) % P, (a[1] + a[0]) * (b[1] + b[0]) % P
    o, q = 2 * a[3] * b[3] * D % P, 2 * a[2] * b[2] % P
    e, f, g, h = n - m, q - o, q + o, n + m
    return e * f % P, g * h % P, f * g % P, e * h % P


def times(scalar, point):
    total = (0, 1, 1, 0)
    while scalar:
        if scalar & 1:
            total = add(total, point)
        point, scalar = add(point, point), scalar >> 1
    return total


def decoded(data):
    """The point of 32 bytes; None if they are none."""
    y, sign = int.from_bytes(data, "little") & (1 << 255) - 1, data[31] >> 7
    square = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * ROOT % P
    if y >= P or (x * x - square) % P or (x == 0 and sign):
        return None
    if x & 1 != sign:
        x = P - x
    return x, y, 1, x * y % P


BASE = decoded((4 * pow(5, P - 2, P) % P).to_bytes(32, "little"))


def is_signed(key, message, signature):
    """Whether the signature of a message is that of a public key's owner."""
    if len(key) != 32 or len(signature) != 64:
        return False
    owner, point, scalar = decoded(key), decoded(signature[:32]), int.from_bytes(signature[32:], "little")
    if owner is None or point is None or scalar >= L:
        return False
    challenge = int.from_bytes(hashlib.sha512(signature[:32] + key + message).digest(), "little") % L
    a, b = times(scalar, BASE), add(point, times(challenge, owner))
    return (a[0] * b[2] - b[0] * a[2]) % P == 0 and (a[1] * b[2] - b[1] * a[2]) % P == 0
