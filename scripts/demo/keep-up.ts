import { resolve } from 'node:path';
import { userToken } from '../github-front/front-options.ts';
import type { Screen } from './screen/screen.ts';
import { ISSUE, MAINTAINER, REPOSITORY, type StagedGitHub } from './stage-github.ts';
import type { FathomServer } from './start-fathom.ts';

interface KeptUp {
  screen: Screen;
  github: StagedGitHub;
  fathom: FathomServer;
  out: string;
}

/** Says where to look, and waits for `stop`. */
export async function keepUp({ screen, github, fathom, out }: KeptUp, stop: AbortSignal): Promise<void> {
  const { url } = github.front;
  screen.print(
    'Everything stays up until Ctrl-C:',
    `  as on GitHub      ${resolve(out)}/*.html`,
    `  the issue         curl ${url}/repos/${REPOSITORY}/issues/${ISSUE}/comments`,
    `  pull requests     curl ${url}/repos/${REPOSITORY}/pulls`,
    `  the repository    git clone http://git:${userToken(MAINTAINER)}@${new URL(url).host}/${REPOSITORY}.git`,
    `  ask again         curl ${url}/repos/${REPOSITORY}/issues/${ISSUE}/comments \\`,
    `                    -H 'authorization: token ${userToken(MAINTAINER)}' -d '{"body":"/fathom resolve"}'`,
    `  Fathom            curl ${fathom.url}/metrics`,
    `  its runs          FATHOM_DATA=${fathom.dataDir} npx fathom runs list`,
    '',
  );
  await whenAborted(stop).catch(() => undefined);
}

/** Rejects with the reason of `stop` when it comes. */
export function whenAborted(stop: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (stop.aborted) reject(stop.reason);
    stop.addEventListener('abort', () => reject(stop.reason), { once: true });
  });
}
