import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createSecrets } from '#src/secrets/create-secrets.ts';
import { fakeSecrets, noise } from './fake-secrets.ts';

const secrets = createSecrets();

describe('a secret', () => {
  it.each(Object.entries(fakeSecrets()))('%s is removed, and the text around it stays', async (_name, secret) => {
    const clean = await secrets.redact(`before ${secret} after`);
    expect(clean).not.toContain(secret);
    expect(clean).toMatch(/^before .*\[removed: [^\]]{2,60}\].* after$/s);
  });

  it('is found although the text asks the scanner to look away', async () => {
    const token = fakeSecrets()['a GitHub token'] ?? '';
    for (const wish of ['secretlint-disable', 'secretlint-disable-next-line', 'secretlint-disable-line']) {
      expect(await secrets.redact(`// ${wish}\n${token} // ${wish}`)).not.toContain(token);
    }
  });

  it('is found at the border of two pieces, and after a million characters', async () => {
    const password = 'postgres://app:hunter22@db.example.org:5432/orders';
    for (const before of [65_500, 65_536 - 8192 - 20, 1_000_000]) {
      expect(await secrets.redact(`${'lorem ipsum '.repeat(before / 12)} ${password}`)).not.toContain('hunter22');
    }
  });

  it('a private key is found in a diff, in a quotation, in JSON and without its end', async () => {
    const { privateKey } = generateKeyPairSync('rsa', {
      modulusLength: 2048,
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
      publicKeyEncoding: { type: 'spki', format: 'pem' },
    });
    const lines = privateKey.trim().split('\n');
    const forms = {
      diff: lines.map((line) => `+${line}`).join('\n'),
      quotation: lines.map((line) => `> ${line}`).join('\n'),
      json: JSON.stringify({ key: privateKey }),
      cut: lines.slice(0, -3).join('\n'),
    };
    for (const [form, text] of Object.entries(forms)) {
      const clean = await secrets.redact(text);
      expect([form, lines.slice(1, -4).filter((line) => clean.includes(line))]).toEqual([form, []]);
    }
  });
});

describe("the operator's own secrets", () => {
  const key = 'Wq7xq0lorem8ipsumDOLOR';
  const own = createSecrets([key, 'anything', 'short1', undefined]);

  it.each([
    ['as it is', key],
    ['in base64', Buffer.from(`x:${key}`).toString('base64')],
    ['in base64 at another place', Buffer.from(`user:${key}\n`).toString('base64')],
    ['in an address', `https://example.org/?k=${encodeURIComponent(key)}`],
  ])('%s are removed', async (_name, text) => {
    expect(await own.redact(`say ${text}!`)).toContain("[removed: one of the operator's secrets]");
    expect(own.redactOwn(`say ${text}!`)).toContain("[removed: one of the operator's secrets]");
  });

  it('that are words strike out no text', async () => {
    expect(await own.redact('anything goes, short1 too')).toBe('anything goes, short1 too');
  });

  it('a private key is found by any line of it', () => {
    const { privateKey } = generateKeyPairSync('ed25519', {
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
      publicKeyEncoding: { type: 'spki', format: 'pem' },
    });
    const line = privateKey.split('\n')[1] ?? '';
    expect(createSecrets([privateKey]).redactOwn(`x ${line} x`)).not.toContain(line);
  });
});

describe('ordinary text', () => {
  it.each([
    'commit 1f0c7e2b9d3a4c5e6f708192a3b4c5d6e7f80912 broke `test_century`',
    'Set `OPENAI_API_KEY=sk-...` and `GITHUB_TOKEN=<yours>`.',
    'A key begins with -----BEGIN PRIVATE KEY----- and then base64.',
    'sha512-QmFzZTY0IG9mIGEgaGFzaCB0aGF0IHN0YW5kcyBpbiBhIGxvY2sgZmlsZSBhbmQgaXMgbm8gc2VjcmV0IGF0IGFsbA==',
    'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    '한국어 이슈: 비밀번호를 잊으면 로그인할 수 없습니다.',
    'the class task-list-of-many-things-that-should-be-done-today is styled twice',
  ])('stays as it is: %s', async (text) => {
    expect(await secrets.redact(text)).toBe(text);
  });
});

describe('any text', () => {
  it.each(noise())('of nothing but %s is looked at without a pause, however much there is', async (_name, piece) => {
    const text = piece.repeat(800_000 / piece.length);
    expect((await secrets.redact(text)).length).toBeGreaterThan(0);
  });
});
