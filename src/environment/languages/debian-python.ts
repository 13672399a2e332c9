/** Packages whose Debian name is not `python3-` and their own. */
const OTHER_NAMES: Record<string, string> = {
  attrs: 'attr',
  beautifulsoup4: 'bs4',
  'discord.py': 'discord',
  mysqlclient: 'mysqldb',
  'opencv-python': 'opencv',
  pillow: 'pil',
  'psycopg2-binary': 'psycopg2',
  pyjwt: 'jwt',
  pyopenssl: 'openssl',
  pyserial: 'serial',
  pyyaml: 'yaml',
  pyzmq: 'zmq',
  'scikit-learn': 'sklearn',
};
const REQUIREMENT = /^([A-Za-z0-9][A-Za-z0-9._-]{0,100})\s*(?:\[[^\]]{0,200}\])?\s*(?:[<>=!~;@ (].*)?$/;
const MOST = 80;

/** Debian's names for Python requirements, as they stand in lists; what is no plain requirement is passed over. */
export function debianPackages(requirements: string[]): string[] {
  const names = requirements.flatMap((line) => {
    const name = REQUIREMENT.exec(line.trim())?.[1]?.toLowerCase().replaceAll('_', '-');
    return name === undefined || name === 'python' ? [] : [OTHER_NAMES[name] ?? name.replace(/^python-/, '')];
  });
  return [...new Set(names)].slice(0, MOST).map((name) => `python3-${name}`);
}

/** The requirements that `setup.py` or `setup.cfg` writes out under one of these names; nothing is run. */
export function writtenRequirements(text: string): string[] {
  const found: string[] = [];
  for (const [, list = ''] of text
    .slice(0, 200_000)
    .matchAll(/\b(?:install_requires|tests_require)\s{0,9}=\s{0,9}\[((?:[^[\]]|\[[^\]]{0,200}\]){0,5000})\]/g)) {
    found.push(...[...list.matchAll(/["']([^"'\n]{1,200})["']/g)].map(([, requirement = '']) => requirement));
  }
  const section =
    /^install_requires\s{0,9}=\s{0,9}((?:\n[ \t]+[^\n]{0,300}){1,100})/m.exec(text.slice(0, 200_000))?.[1] ?? '';
  return [...found, ...section.split('\n')].map((line) => line.trim()).filter((line) => line !== '');
}
