#!/bin/sh
# Puts the programs that the benchmarks run beside ftpwire on this machine: Debian or Ubuntu, as root.
set -eu
wanted=
for package in curl lftp time vsftpd; do
  dpkg -s "$package" >/dev/null 2>&1 || wanted="$wanted $package"
done
[ -n "$wanted" ] || exit 0
apt-get -qq update
# shellcheck disable=SC2086 # the list is meant to be split
DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends $wanted >/dev/null
