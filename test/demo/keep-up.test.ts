import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { keepUp } from '../../scripts/demo/keep-up.ts';
import type { Screen } from '../../scripts/demo/screen/screen.ts';
import { ISSUE, MAINTAINER, REPOSITORY, stageGitHub } from '../../scripts/demo/stage-github.ts';
import type { FathomServer } from '../../scripts/demo/start-fathom.ts';

it('what is left up names a command that asks Fathom again, as it stands there', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'fathom-kept-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const github = await stageGitHub(folder);
  onTestFinished(() => github.front.stop());
  const lines: string[] = [];
  const screen = { print: (...more: string[]) => void lines.push(...more) } as Screen;
  const fathom = { url: 'http://127.0.0.1:3000', dataDir: folder } as FathomServer;
  await keepUp({ screen, github, fathom, out: folder }, AbortSignal.abort());
  const shown = /ask again +(curl .*?)\n {2}Fathom/s.exec(lines.join('\n'))?.[1] ?? '';
  await promisify(execFile)('bash', ['-c', shown]);
  const comments = await github.front.admin.comments(REPOSITORY, ISSUE);
  expect(comments.map(({ body, user }) => [body, user.login])).toEqual([['/fathom resolve', MAINTAINER]]);
});
