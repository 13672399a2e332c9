#!/bin/bash
# Makes the sandbox image's file system in the folder $1 from the Debian mirror $2, without any image to start from, out
# of what is in the folder $3: packages.txt, npm.tgz, certificates/. Needs root and debootstrap.
set -euo pipefail
root="$1" mirror="$2" recipe="$3"
packages="$(paste -sd, "$recipe/packages.txt")"
debootstrap --variant=minbase --include="$packages" bookworm "$root" "$mirror"
cp -R "$recipe/certificates/." "$root/usr/local/share/ca-certificates/"
chroot "$root" update-ca-certificates
bash "$recipe/set-up-npm.sh" "$recipe/npm.tgz" "$root"
rm -rf "$root"/var/cache/apt/archives/*.deb "$root"/var/lib/apt/lists/* "$root"/var/log/*
rm -rf "$root"/usr/share/{doc,man,info} "$root"/usr/share/locale/*
