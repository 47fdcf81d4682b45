#!/bin/sh
# Installs from Debian's packages what the feature `etcd` is compiled with, where it is not there yet: protoc and its own definitions.
set -eu
if ! command -v protoc > /dev/null || ! [ -e /usr/include/google/protobuf/descriptor.proto ]; then
    export DEBIAN_FRONTEND=noninteractive
    apt-get update -qq
    apt-get install -y -qq --no-install-recommends protobuf-compiler libprotobuf-dev > /dev/null
fi
command -v protoc
