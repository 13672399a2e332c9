/**
 * Looks for an installed package and a file of it, in bash, without running anything of the package. Takes `$PACKAGE`,
 * `$FILE` and `$SYMBOL` from the environment. Prints, each at most once, tab between the fields:
 * `package <version> <folder>`, `file <real path> <lines>`, `folder <path>`, and `symbol <line>,<line>,…`.
 */
export const DEPENDENCY_SCRIPT = `root= version=
found() { version=$1; root=$2; }

python() {
  command -v python3 >/dev/null || return 0
  # -I: what the agent may have written to its home folder or to PYTHONPATH does not speak for what is installed.
  said=$(timeout 10 python3 -I -c '
import importlib.metadata as metadata, os, platform, sys, sysconfig
name = os.environ["PACKAGE"].strip()
top = name.split(".")[0]
try:
    one = metadata.distribution(name)
    print(one.version, one.locate_file(""), sep="\\t")
except Exception:
    owners = getattr(metadata, "packages_distributions", dict)()
    if top in owners:
        one = metadata.distribution(owners[top][0])
        print(one.version, one.locate_file(""), sep="\\t")
    elif name.lower() in ("python", "python3", "cpython") or top in getattr(sys, "stdlib_module_names", ()):
        print(platform.python_version(), sysconfig.get_paths()["stdlib"], sep="\\t")' 2>/dev/null) || return 0
  [ -n "$said" ] && found "\${said%%	*}" "\${said#*	}"
}

node_package() {
  case "$PACKAGE" in
    node|nodejs|Node.js|node:*) command -v node >/dev/null && found "$(node --version)" "$(dirname "$(command -v node)")"; return 0 ;;
  esac
  at=$PWD
  while :; do
    file=$at/node_modules/$PACKAGE/package.json
    if [ -f "$file" ]; then
      found "$(grep -m 1 -o '"version" *: *"[^"]*"' "$file" | cut -d '"' -f 4)" "\${file%/package.json}"
      return 0
    fi
    [ -z "$at" ] && return 0
    at=\${at%/*}
  done
}

go_module() {
  command -v go >/dev/null || return 0
  if [ "$PACKAGE" = go ] || [ -d "$(go env GOROOT)/src/$PACKAGE" ]; then
    found "$(go env GOVERSION)" "$(go env GOROOT)/src"; return 0
  fi
  folder=$(ls -d "$(go env GOMODCACHE)/$(printf %s "$PACKAGE" | sed 's/[A-Z]/!\\l&/g')"@* 2>/dev/null | tail -1)
  [ -n "$folder" ] && found "\${folder##*@}" "$folder"
}

versioned_folder() {
  for folder in "\${CARGO_HOME:-/usr/local/cargo}"/registry/src/*/"$PACKAGE"-[0-9]* "$HOME"/.cargo/registry/src/*/"$PACKAGE"-[0-9]*; do
    [ -d "$folder" ] && { found "\${folder##*/"$PACKAGE"-}" "$folder"; return 0; }
  done
  if command -v ruby >/dev/null; then
    said=$(timeout 10 ruby -e 'one = Gem::Specification.find_by_name(ENV["PACKAGE"]); print one.version, "\\t", one.gem_dir' 2>/dev/null)
    [ -n "$said" ] && { found "\${said%%	*}" "\${said#*	}"; return 0; }
  fi
  [ -d "vendor/$PACKAGE" ] && found "" "$PWD/vendor/$PACKAGE"
  return 0
}

system_package() {
  said=$(dpkg-query -W -f '\${Version}' "$PACKAGE" 2>/dev/null) && [ -n "$said" ] && { found "$said" /; return 0; }
  program=$(command -v -- "$PACKAGE" 2>/dev/null) || return 0
  case "$program" in
    /tmp/*|/home/*) ;;
    /*) found "$(timeout 2 "$program" --version 2>&1 </dev/null | grep -m 1 -o '[0-9][0-9A-Za-z.+~-]*' | head -1)" "\${program%/*}" ;;
  esac
}

for look in python node_package go_module versioned_folder system_package; do
  $look
  [ -n "$root" ] && break
done
[ -n "$root" ] && printf 'package\\t%s\\t%s\\n' "$version" "$root"

[ -n "$FILE" ] || exit 0
folder=
short=\${FILE##*site-packages/}; short=\${short##*dist-packages/}; short=\${short##*node_modules/}
[ -n "$root" ] || root=/nonexistent/package
for path in "$FILE" "$root/$FILE" "$root/$short" "\${root%/*}/$short" "$root/src/$FILE" "$root/lib/$FILE"; do
  case "$path" in /*) ;; *) continue ;; esac
  real=$(realpath -e -- "$path" 2>/dev/null) || continue
  if [ -d "$real" ]; then folder=$real; continue; fi
  [ -f "$real" ] || continue
  printf 'file\\t%s\\t%s\\n' "$real" "$(awk 'END { print NR }' "$real")"
  [ -n "$SYMBOL" ] && printf 'symbol\\t%s\\n' "$(grep -n -w -F -m 200 -- "$SYMBOL" "$real" | cut -d : -f 1 | paste -s -d ,)"
  exit 0
done
[ -n "$folder" ] && printf 'folder\\t%s\\n' "$folder"
exit 0`;
