# What dist/tarball and dist/deb know of libraries and their licences; both read this file.

fail() { echo "$0: $*" >&2; exit 66; }

# The C library and what comes with it belong to the system: its loader demands its own.
is_of_system() {
  case "$1" in
    linux-vdso.so.*|ld-linux*.so.*|libc.so.*|libm.so.*|libmvec.so.*|libdl.so.*|libpthread.so.*) return 0;;
    librt.so.*|libresolv.so.*|libutil.so.*|libanl.so.*|libnsl.so.*) return 0;;
    *) return 1;;
  esac
}

# Prints the package of Debian that the file $1 comes from, or nothing. A package lists its files under
# /usr/lib or, from before the two were joined, under /lib.
package_of() {
  local file
  file=$(realpath "$1")
  { dpkg-query -S "$file" || dpkg-query -S "${file#/usr}"; } 2>/dev/null \
    | awk -F: 'NR == 1 { print $1 }' || true
}

# Prints the file with the licence of the package that the file $1 comes from.
licence_of() {
  local package
  package=$(package_of "$1")
  [ -n "$package" ] && [ -f "/usr/share/doc/$package/copyright" ] || fail "no licence found of $1"
  echo "/usr/share/doc/$package/copyright"
}

# Prints names and files of the licences of the Swift packages that are linked into the programs of the
# folder $1, and of Swift.
swift_licences() {
  local checkouts folder file swift
  checkouts=$(realpath "$1/../../checkouts")
  [ -d "$checkouts/Yams" ] || fail "no licences found of the packages in $checkouts"
  for folder in "$checkouts"/*/; do
    for file in "$folder"LICENSE* "$folder"NOTICE*; do
      [ ! -f "$file" ] || echo "$(basename "$folder")-$(basename "$file" .txt) $file"
    done
  done
  swift=$(dirname "$(dirname "$(realpath "$(command -v swift)")")")/share/swift/LICENSE.txt
  [ -f "$swift" ] || fail "no licence found of Swift"
  echo "swift-LICENSE $swift"
}
