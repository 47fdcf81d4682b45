#!/bin/sh
# Installs PostgreSQL, etcd and what compiles etcd's client from Debian's packages, where they are not there yet.
set -eu
if ! ls /usr/lib/postgresql/*/bin/initdb > /dev/null 2>&1; then
    export DEBIAN_FRONTEND=noninteractive
    apt-get update -qq
    # The package would start a server of its own, which nothing here uses.
    apt-get install -y -qq --no-install-recommends postgresql-common > /dev/null
    sed -i 's/^#\?create_main_cluster.*/create_main_cluster = false/' /etc/postgresql-common/createcluster.conf
    apt-get install -y -qq --no-install-recommends postgresql > /dev/null
fi
if ! command -v etcd > /dev/null || ! command -v etcdctl > /dev/null || ! command -v openssl > /dev/null; then
    export DEBIAN_FRONTEND=noninteractive
    apt-get update -qq
    apt-get install -y -qq --no-install-recommends etcd-server etcd-client openssl > /dev/null
    # The package would start a server of its own, too.
    systemctl disable --now etcd > /dev/null 2>&1 || true
fi
sh "$(dirname "$0")/protoc.sh"
ls /usr/lib/postgresql/*/bin/initdb
command -v etcd etcdctl
