# The folder of the servers that Tools/foreign-servers.sh has unpacked, as `root`; sourced by the scripts of those servers. Their
# programs run as nobody: where that user cannot get into the checkout, a copy lies where it can.
root=$(cd "$(dirname "$0")/../../.build/servers" && pwd)
if [ "$(id -u)" = 0 ] && ! setpriv --reuid=nobody --clear-groups test -x "$root/usr/lib" 2>/dev/null; then
    copy=/tmp/helix-test-servers
    if [ ! -e "$copy/done-2" ]; then
        cp -r "$root" "$copy.$$"
        chmod -R a+rX "$copy.$$"
        rm -rf "$copy"
        mv -T "$copy.$$" "$copy" 2>/dev/null || rm -rf "$copy.$$"
    fi
    root=$copy
fi
