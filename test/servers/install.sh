#!/bin/sh
# Puts the FTP servers that the tests talk to on this machine: Debian or Ubuntu, as root. Quick when all is there.
#
# Debian's packages of FTP servers exclude each other. vsftpd and pyftpdlib are installed, the others are only
# unpacked into $FTP_SERVERS_DIR, where nothing starts them by itself.
set -eu
dir=${FTP_SERVERS_DIR:-$HOME/.cache/ftpwire-servers}
updated=

update_once() {
  [ -n "$updated" ] || apt-get -qq update
  updated=yes
}

# libraries_for DEB...: the libraries that these packages need and this machine does not have
libraries_for() {
  for package in "$@"; do
    dpkg-deb -f "$package" Depends | tr ',' '\n' | sed -n 's/^ *\(lib[^ |(:]*\).*/\1/p'
  done | sort -u | while read -r library; do
    [ -e "$(echo "${1%/*}/${library}"_*.deb)" ] || dpkg -s "$library" >/dev/null 2>&1 || echo "$library"
  done
}

# unpack NAME PROGRAM PACKAGE...: with the libraries they need, in a folder of their own
unpack() {
  name=$1 program=$2
  shift 2
  [ ! -x "$dir/$name/$program" ] || return 0
  update_once
  parcel=$(mktemp -d)
  # apt downloads as a user of its own, who must be able to write there.
  chmod 777 "$parcel"
  (
    cd "$parcel"
    apt-get -qq download "$@"
    while libraries=$(libraries_for ./*.deb) && [ -n "$libraries" ]; do
      # shellcheck disable=SC2086 # the list is meant to be split
      apt-get -qq download $libraries
    done
  )
  mkdir -p "$dir/$name.new"
  for package in "$parcel"/*.deb; do
    dpkg -x "$package" "$dir/$name.new"
  done
  rm -rf "$parcel" "${dir:?}/$name"
  mv "$dir/$name.new" "$dir/$name"
}

wanted=
command -v curl >/dev/null || wanted="$wanted curl"
[ -x /usr/sbin/vsftpd ] || wanted="$wanted vsftpd"
/usr/bin/python3 -c 'import pyftpdlib' 2>/dev/null || wanted="$wanted python3-pyftpdlib"
/usr/bin/python3 -c 'import OpenSSL' 2>/dev/null || wanted="$wanted python3-openssl"
if [ -n "$wanted" ]; then
  update_once
  # shellcheck disable=SC2086 # the list is meant to be split
  DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends $wanted >/dev/null
fi

unpack proftpd usr/sbin/proftpd proftpd-core proftpd-mod-crypto
unpack pure-ftpd usr/sbin/pure-ftpd pure-ftpd
unpack inetutils usr/sbin/ftpd inetutils-ftpd
