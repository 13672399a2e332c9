import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { appPermissions } from '../../scripts/github-front/front-options.ts';

const manifest = parse(readFileSync(new URL('../../app.yml', import.meta.url), 'utf8')) as Record<string, unknown>;

test('the App asks for no more than reading code, writing its branch, comments and pull requests', () => {
  const least = { metadata: 'read', contents: 'write', issues: 'write', pull_requests: 'write' };
  expect(manifest['default_permissions']).toEqual(least);
  expect(appPermissions).toEqual(least);
});

test('the webhooks go to the path that is served, and only the events that are read are asked for', () => {
  expect(manifest['hook_attributes']).toEqual({
    url: `${manifest['url']}/api/github/webhooks`,
    active: true,
  });
  expect(manifest['default_events']).toEqual(['issues', 'issue_comment']);
  expect(manifest['public']).toBe(false);
});
