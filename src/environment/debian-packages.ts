/**
 * A set-up step that installs Debian packages where `program` is missing: images have apt or bring the program.
 * @param packages separated by spaces
 */
export const havingProgram = (program: string, packages: string): string =>
  `{ command -v ${program} >/dev/null || { apt-get update -qq && apt-get install -qqy ${packages} >/dev/null; }; }`;
