# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ed25519 from the definitions of RFC 8032, section 5.1: slow, and not safe against those who measure its time. For tests."""
import hashlib

PRIME = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, PRIME) % PRIME  # of the curve -x^2 + y^2 = 1 + D x^2 y^2


def recover_x(y, sign):
    """The x of a point with this y whose lowest bit is `sign`; None: there is no such point."""
    square = (y * y - 1) * pow(D * y * y + 1, -1, PRIME) % PRIME
    x = pow(square, (PRIME + 3) // 8, PRIME)
    if (x * x - square) % PRIME:
        x = x * pow(2, (PRIME - 1) // 4, PRIME) % PRIME
    if (x * x - square) % PRIME or (x == 0 and sign):
        return None
    return x if x % 2 == sign else PRIME - x


BASE_Y = 4 * pow(5, -1, PRIME) % PRIME
BASE = (recover_x(BASE_Y, 0), BASE_Y)


def add(p, q):
    """The sum of two points by the curve's addition law."""
    (x1, y1), (x2, y2) = p, q
    product = D * x1 * x2 * y1 * y2 % PRIME
    return ((x1 * y2 + x2 * y1) * pow(1 + product, -1, PRIME) % PRIME, (y1 * y2 + x1 * x2) * pow(1 - product, -1, PRIME) % PRIME)


def multiply(scalar, point):
    total = (0, 1)
    while scalar:
        if scalar & 1:
            total = add(total, point)
        point, scalar = add(point, point), scalar >> 1
    return total


def encode(point):
    x, y = point
    return (y | (x & 1) << 255).to_bytes(32, "little")


def decode(data):
    number = int.from_bytes(data, "little")
    y, sign = number & (2**255 - 1), number >> 255
    if y >= PRIME:
        return None
    x = recover_x(y, sign)
    return None if x is None else (x, y)


def digest_number(*parts):
    return int.from_bytes(hashlib.sha512(b"".join(parts)).digest(), "little")


def expand(seed):
    """The secret scalar, and the prefix that makes the nonce."""
    digest = hashlib.sha512(seed).digest()
    scalar = int.from_bytes(digest[:32], "little")
    return scalar & ~7 & (2**254 - 1) | 2**254, digest[32:]


def public_key(seed):
    return encode(multiply(expand(seed)[0], BASE))


def sign(seed, message):
    scalar, prefix = expand(seed)
    key = encode(multiply(scalar, BASE))
    nonce = digest_number(prefix, message) % ORDER
    commitment = encode(multiply(nonce, BASE))
    answer = (nonce + digest_number(commitment, key, message) * scalar) % ORDER
    return commitment + answer.to_bytes(32, "little")


def verify(key, message, signature):
    point, commitment = decode(key), decode(signature[:32])
    answer = int.from_bytes(signature[32:], "little")
    if len(signature) != 64 or point is None or commitment is None or answer >= ORDER:
        return False
    challenge = digest_number(signature[:32], key, message) % ORDER
    return multiply(answer, BASE) == add(commitment, multiply(challenge, point))
