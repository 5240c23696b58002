"""An OpenPGP message in the old form without protection against changes (RFC 4880 §5.7), which gpg does not write any more."""

import base64
import os
import re
import subprocess

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes


def unprotected(text, recipient="ana@example.org"):
    """Encrypts a text with AES-128; its session key is encrypted by gpg."""
    sealed = subprocess.run(["gpg", "--batch", "--personal-cipher-preferences", "AES", "--cipher-algo", "AES", "--recipient",
                             recipient, "--encrypt"], input=b"x", capture_output=True, check=True).stdout
    shown = subprocess.run(["gpg", "--batch", "--show-session-key", "--decrypt"], input=sealed, capture_output=True).stderr
    algorithm, digits = re.search(rb"session key: '(\d+):([0-9A-F]+)'", shown).groups()
    assert algorithm == b"7", "AES-128"
    key = bytes.fromhex(digits.decode())
    # The first packet holds the session key.
    assert sealed[0] & 0xFC == 0x84 or sealed[0] == 0xC1
    if sealed[0] & 0x40:
        size = sealed[1] + 2 if sealed[1] < 192 else ((sealed[1] - 192) << 8) + sealed[2] + 192 + 3
    else:
        size = sealed[1] + 2 if sealed[0] & 3 == 0 else (sealed[1] << 8 | sealed[2]) + 3
    literal = b"b\x00\x00\x00\x00\x00" + text
    plain = b"\xcb\xff" + len(literal).to_bytes(4, "big") + literal
    # OpenPGP's CFB with a repeated prefix and a new start (RFC 4880 §13.9).
    prefix = os.urandom(16)
    prefix += prefix[-2:]
    first = Cipher(algorithms.AES(key), modes.CFB(bytes(16))).encryptor()
    head = first.update(prefix)
    rest = Cipher(algorithms.AES(key), modes.CFB(head[2:18])).encryptor()
    body = head + rest.update(plain)
    data = sealed[:size] + b"\xc9\xff" + len(body).to_bytes(4, "big") + body
    return (b"-----BEGIN PGP MESSAGE-----\n\n" + base64.encodebytes(data) + b"-----END PGP MESSAGE-----\n")
