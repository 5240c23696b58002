#!/bin/sh
# Makes a keyring of GnuPG for the tests: DIR. Keys without a passphrase, of OpenPGP and S/MIME.
#
#   ana, bo           secret keys of OpenPGP
#   expired, revoked  secret keys of OpenPGP that cannot be used any more; stranger.asc is a key that is not imported
#   carla, dan        certificates of S/MIME, by a root that is trusted; eve has one by a root that is not
set -eu
dir=$1
mkdir -p "$dir"
chmod 700 "$dir"
export GNUPGHOME="$dir" LC_ALL=C
cat > "$dir/gpg-agent.conf" <<END
allow-loopback-pinentry
disable-scdaemon
END
printf 'no-auto-key-retrieve\n' > "$dir/gpg.conf"
printf 'disable-crl-checks\n' > "$dir/gpgsm.conf"
make_key() { gpg --batch --quiet --passphrase '' --quick-generate-key "$1" future-default default "$2"; }
make_key 'Ana Ruiz <ana@example.org>' never
make_key 'Bo Berg <bo@example.org>' never
make_key 'Revoked <revoked@example.org>' never
gpg --batch --quiet --faked-system-time 20200101T000000 --passphrase '' \
    --quick-generate-key 'Expired <expired@example.org>' future-default default 20200201T000000
revoked=$(gpg --batch --with-colons --list-keys revoked@example.org | awk -F: '$1 == "fpr" { print $10; exit }')
sed 's/^:-----/-----/' "$dir/openpgp-revocs.d/$revoked.rev" > "$dir/revocation.asc"
# A message that the key signed before it was revoked.
printf 'Content-Type: text/plain\r\n\r\nSigned before.\r\n' | gpg --batch --quiet --local-user "$revoked" --detach-sign --armor > "$dir/revoked.sig"
gpg --batch --quiet --import "$dir/revocation.asc"
# A stranger has a keyring of their own.
mkdir -m 700 "$dir/stranger"
GNUPGHOME="$dir/stranger" gpg --batch --quiet --passphrase '' \
    --quick-generate-key 'Stranger <stranger@example.net>' future-default default never
GNUPGHOME="$dir/stranger" gpg --batch --quiet --armor --export stranger@example.net > "$dir/stranger.asc"

# S/MIME: two roots, and certificates by them.
cd "$dir"
authority() {
    openssl req -x509 -newkey rsa:2048 -nodes -days 3650 -keyout "$1.key" -out "$1.pem" -subj "/CN=$2/O=Example" \
        -addext 'keyUsage=critical,keyCertSign,cRLSign' 2>/dev/null
}
certificate() {
    openssl req -newkey rsa:2048 -nodes -keyout "$1.key" -out "$1.csr" -subj "/CN=$2" 2>/dev/null
    printf 'basicConstraints=CA:false\nkeyUsage=digitalSignature,keyEncipherment\nextendedKeyUsage=emailProtection\nsubjectAltName=email:%s@example.org\n' \
        "$1" > "$1.ext"
    openssl x509 -req -in "$1.csr" -CA "$3.pem" -CAkey "$3.key" -CAcreateserial -days 3000 -extfile "$1.ext" \
        -out "$1.pem" 2>/dev/null
    gpgsm --batch --quiet --import "$1.pem" 2>/dev/null
    grip=$(gpgsm --batch --with-keygrip --list-keys "$1@example.org" 2>/dev/null | awk '$1 == "keygrip:" { print $2; exit }')
    # Imported by gpgsm, it would ask for a passphrase.
    /usr/bin/python3 - "$1.key" > "private-keys-v1.d/$grip.key" <<'END'
import sys
from cryptography.hazmat.primitives.serialization import load_pem_private_key
n = load_pem_private_key(open(sys.argv[1], 'rb').read(), None).private_numbers()
p, q = sorted((n.p, n.q))
numbers = {'n': n.public_numbers.n, 'e': n.public_numbers.e, 'd': n.d, 'p': p, 'q': q, 'u': pow(p, -1, q)}
def octets(value):
    text = format(value, 'X')
    return ('0' if len(text) % 2 else '00' if int(text[0], 16) > 7 else '') + text
print('Key: (private-key (rsa %s))' % ''.join('(%s #%s#)' % (k, octets(v)) for k, v in numbers.items()))
END
}
authority root 'Example Root'
authority other 'Other Root'
gpgsm --batch --quiet --import root.pem other.pem 2>/dev/null
openssl x509 -in root.pem -noout -fingerprint -sha1 | sed 's/.*=//; s/$/ S relax/' > trustlist.txt
certificate carla 'Carla Conti' root
certificate dan 'Dan Dahl' root
certificate eve 'Eve Evans' other
