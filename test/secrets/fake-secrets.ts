const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';
const random = (length: number): string =>
  Array.from({ length }, (_, i) => LETTERS[(i * i * 7 + i * 13 + 3) % LETTERS.length]).join('');

/** Made up, in the form of real ones. Put together here, so that no scanner of repositories takes them for real. */
export function fakeSecrets(): Record<string, string> {
  return {
    'a GitHub token': `gh${'p'}_${random(36)}`,
    "an installation's token": `gh${'s'}_${random(36)}`,
    'a fine-grained token': `github${'_pat'}_${random(22)}_${random(59)}`,
    'a key for models': `sk-${'proj'}-${random(74)}T3BlbkFJ${random(74)}`,
    'a key of another provider': `sk-${'ant'}-api03-${random(93)}AA`,
    'a cloud key': `AWS_SECRET_ACCESS_KEY="${random(40)}"`,
    'a password in an address': `https://deploy:${random(12)}@example.org`,
    'a chat token': `xox${'b'}-123456789012-123456789012-${random(24)}`,
    'a database password': `postgres://app:${random(10)}@db:5432/orders`,
    'a package registry token': `npm${'_'}${random(36)}`,
    'a payment key': `sk${'_live'}_${random(24)}`,
    'a JSON Web Token': `eyJ${random(20)}.eyJ${random(30)}.${random(43)}`,
  };
}

/** Beginnings of secrets without end: what makes a careless pattern slow. */
export function noise(): [string, string][] {
  const pieces = [
    'a',
    ' ',
    '\n',
    'ghp_',
    'eyJ-',
    'eyJaaaaaaaaaaaa.',
    'sk-',
    '-----BEGIN PRIVATE KEY-----\n',
    '://a:',
    'AKIA',
  ];
  const more = [
    'xoxb-1',
    'aws_secret_access_key=',
    'mysql://',
    '_authToken=',
    'SG.',
    '{"type":"service_account"}',
    'A/+=',
  ];
  return [...pieces, ...more].map((piece) => [JSON.stringify(piece), piece]);
}
