# Sets `root` to the folder of the servers unpacked by Tools/foreign-servers.sh; sourced by the scripts of those servers. Their
# programs run as nobody: if that user cannot access the checkout, a copy in /tmp is used.
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
