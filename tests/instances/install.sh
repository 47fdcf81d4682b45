#!/bin/sh
# Installs PostgreSQL from Debian's packages, where it is not there yet.
set -eu
if ! ls /usr/lib/postgresql/*/bin/initdb > /dev/null 2>&1; then
    export DEBIAN_FRONTEND=noninteractive
    apt-get update -qq
    # The package would start a server of its own, which nothing here uses.
    apt-get install -y -qq --no-install-recommends postgresql-common > /dev/null
    sed -i 's/^#\?create_main_cluster.*/create_main_cluster = false/' /etc/postgresql-common/createcluster.conf
    apt-get install -y -qq --no-install-recommends postgresql > /dev/null
fi
ls /usr/lib/postgresql/*/bin/initdb
