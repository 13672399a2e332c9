import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';

const root = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const { services } = parse(read('compose.yaml'));

it('every variable that compose.yaml asks for is named in the documentation', () => {
  const asked = [...read('compose.yaml').matchAll(/\$\{(\w+)/g)].map(([, name]) => name);
  const documented = read('docs/operations.md');
  for (const name of new Set(asked)) expect(documented, name).toContain(name);
});

it('the data are at the same path on both sides, as the engine needs them, and the server waits for its database', () => {
  const [inside, outside] = services.bot.volumes[0].split(/(?<=\}):/);
  expect(inside).toBe(outside);
  expect(services.bot.environment.FATHOM_DATA).toBe(inside);
  expect(services.bot.depends_on).toEqual({ database: { condition: 'service_healthy' } });
});

it('the image serves the port that compose.yaml publishes, to this machine alone', () => {
  expect(services.bot.ports).toEqual([expect.stringMatching(/^127\.0\.0\.1:.*:3000$/)]);
  expect(read('Dockerfile')).toContain('PORT=3000');
});
