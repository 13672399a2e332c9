import { KEPT_FOLDERS, TOOLS } from './container-variables.ts';

/**
 * Copies the checkout at `$from` to `$to`, where later containers have it. Set-up works on the copy: as root without
 * capabilities it could not write to files of another user, and what it installs must point to the final place. For the
 * same reason apt gets folders of its own and stays root.
 */
export const TAKE_COPY = `set -e
mkdir -p "$to" ${TOOLS}/apt/lists/partial ${TOOLS}/apt/archives/partial
chmod 755 ${TOOLS}
printf '%s\\n' 'APT::Sandbox::User "root";' 'Dir::State::lists "${TOOLS}/apt/lists";' 'Dir::Cache "${TOOLS}/apt";' \\
  'APT::Install-Recommends "false";' 'DPkg::Use-Pty "0";' >${TOOLS}/apt.conf
cp -R --preserve=mode,timestamps,links "$from"/. "$to"/
chmod -R u+w "$to"`;

/**
 * Later containers mount a checkout over \`$to\`, which hides what was installed in it. Node looks for packages in every
 * folder above, so \`node_modules\` goes there; its links to packages of a workspace are pointed at the checkout again.
 * Nothing else of the copy stays. What languages installed elsewhere is made readable for the user of later containers.
 */
export const KEEP_INSTALLED = `set -e
up=$(dirname "$to")
if [ -d "$to/node_modules" ] && [ ! -L "$to/node_modules" ]; then
  rm -rf "\${up%/}/node_modules"
  mv "$to/node_modules" "\${up%/}/node_modules"
  cd "\${up%/}/node_modules"
  find . -maxdepth 2 -type l -print0 | while IFS= read -r -d '' link; do
    at=$(realpath -m -s "$to/node_modules/$(dirname "$link")/$(readlink "$link")")
    case "$at" in
      "$to"/node_modules/*) ;;
      "$to"/*) ln -sfn "$at" "$link" ;;
    esac
  done
fi
if [ -d "$to/vendor" ] && [ ! -L "$to/vendor" ] && [ -f "$to/composer.json" ]; then
  mkdir -p ${KEPT_FOLDERS}
  mv "$to/vendor" ${KEPT_FOLDERS}/vendor
fi
cd /
find "$to" -mindepth 1 -delete
rm -rf ${TOOLS}/apt
chmod -R a+rX ${TOOLS}`;
