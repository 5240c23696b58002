#!/bin/sh
# A private Dovecot with Pigeonhole, for one test: sieve.sh DIR IMAP_PORT IMAPS_PORT SIEVE_PORT LMTP_PORT
# As dovecot.sh, with ManageSieve (STARTTLS) and delivery by LMTP.
set -eu
dir=$1 sieve=$4 lmtp=$5
mkdir -p "$dir"
cat > "$dir/more.conf" <<END
protocols = imap sieve lmtp
postmaster_address = postmaster@example.org
service managesieve-login {
  chroot =
  inet_listener sieve {
    port = $sieve
  }
}
service lmtp {
  inet_listener lmtp {
    port = $lmtp
  }
}
protocol lmtp {
  mail_plugins = sieve
}
plugin {
  sieve = file:~/sieve;active=~/active.sieve
}
submission_host = 127.0.0.1:1
END
exec sh "$(dirname "$0")/dovecot.sh" "$dir" "$2" "$3"
