#!/bin/sh
# Puts the SOCKS server and the Redis that the tests of the examples talk to on this machine: Debian or Ubuntu, as
# root. Quick when they are there. Neither is left running.
set -eu
wanted=
command -v microsocks >/dev/null || wanted="$wanted microsocks"
command -v redis-server >/dev/null || wanted="$wanted redis-server"
[ -n "$wanted" ] || exit 0

apt-get -qq update
# The package of Redis would start a server of its own.
policy=/usr/sbin/policy-rc.d
if [ ! -e "$policy" ]; then
  printf '#!/bin/sh\nexit 101\n' >"$policy"
  chmod +x "$policy"
  trap 'rm -f "$policy"' EXIT
fi
# shellcheck disable=SC2086 # the list is meant to be split
DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends $wanted >/dev/null
