import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { askServer } from '#src/cli/admin-client.ts';
import { RunDetails, RunSummary } from '#src/jobs/operations.ts';
import type { GitHubFront } from '../../scripts/github-front/github-front.ts';
import { until } from '../jobs/support/worker.ts';
import { REPOSITORY, type RunningApp, startFront, startOn } from './app-on-front.ts';

const START_MS = 120_000;
let front: GitHubFront;
let app: RunningApp;
beforeAll(async () => {
  front = await startFront();
  app = await startOn(front);
}, START_MS);
afterAll(async () => {
  await app?.stop();
  await front?.stop();
}, START_MS);

const runs = () => askServer(app.dataDir, 'GET', '/runs', z.array(RunSummary));
const ended = (count: number) =>
  until(async () => {
    const all = await runs();
    return all.length >= count && all.every((run) => run.state === 'ended') ? all : undefined;
  });
const comments = () => front.admin.comments(REPOSITORY, 1);

describe('the server on GitHub (front) without a model', () => {
  it('a label by a maintainer becomes a comment with the files that resemble the issue', async () => {
    await front.as('maria').label(REPOSITORY, 1, 'auto-triage');
    const [run] = await ended(1);
    expect(run).toMatchObject({ issue: 'acme/widget#1', mode: 'resolve', actor: 'maria', end: 'ranked' });
    const said = await comments();
    expect(said).toHaveLength(1);
    expect(said[0]?.body).toContain('src/quote.js');
    expect(said[0]?.user.login).toBe('fathom[bot]');
  }, 60_000);

  it('the same delivery sent again changes nothing', async () => {
    const delivery = front.deliveries.log.findLast((one) => one.event === 'issues');
    await front.deliveries.redeliver(delivery?.id ?? '');
    expect(await ended(1)).toHaveLength(1);
    expect(await comments()).toHaveLength(1);
  });

  it('/fathom retry folds the earlier result away and writes a new one', async () => {
    await front.as('maria').comment(REPOSITORY, 1, '/fathom retry');
    await ended(2);
    const own = (await comments()).filter((comment) => comment.user.login === 'fathom[bot]');
    expect(own).toHaveLength(2);
    expect(own[0]?.body).toContain('<details>');
  }, 60_000);

  it('a command by somebody without rights gets a reaction and no run', async () => {
    await front
      .as('mallory')
      .comment(REPOSITORY, 1, '/fathom diagnose')
      .catch(() => undefined);
    await front.as('rita').comment(REPOSITORY, 1, '/fathom diagnose');
    await until(() => front.reactions.some((reaction) => reaction.content === 'confused'));
    expect(await runs()).toHaveLength(2);
  }, 60_000);

  it('a mistyped command is answered with those that there are, and starts no run; a stranger is not answered', async () => {
    const before = front.reactions.length;
    await front.as('rita').comment(REPOSITORY, 1, '/fathom help me');
    await front.as('maria').comment(REPOSITORY, 1, '/fathom');
    const said = await until(async () => (await comments()).find(({ body }) => body.includes('Not understood')));
    expect(said.body).toContain('`/fathom resolve`');
    expect(front.reactions.slice(before).map(({ content }) => content)).toEqual(['confused']);
    expect(await runs()).toHaveLength(2);
  }, 60_000);

  it('answers health checks, and shows metrics that name nobody', async () => {
    const get = async (path: string) => {
      const response = await fetch(app.url + path);
      return { status: response.status, text: await response.text(), headers: response.headers };
    };
    expect((await get('/healthz')).status).toBe(200);
    expect((await get('/readyz')).text).toBe('ready\n');
    const metrics = await get('/metrics');
    expect(metrics.text).toContain('fathom_runs_total{end="ranked"} 2');
    for (const name of ['queue_waiting', 'queue_running', 'queue_dead', 'queue_oldest_seconds', 'runs_active']) {
      expect(metrics.text).toContain(`fathom_${name} 0`);
    }
    expect(metrics.text).toMatch(/^fathom_stage_seconds_count\{stage="prepare"\} 2$/m);
    for (const name of ['tokens_total', 'usd_total', 'containers'])
      expect(metrics.text).toContain(`TYPE fathom_${name}`);
    for (const kind of ['mirrors', 'workspaces', 'artefacts']) {
      expect(metrics.text).toMatch(new RegExp(`^fathom_disk_bytes\\{kind="${kind}"\\} \\d+$`, 'm'));
      expect(metrics.text).toContain(`fathom_disk_cap_bytes{kind="${kind}"}`);
    }
    expect(metrics.text).not.toMatch(/acme|widget|maria/);
    expect(metrics.headers.get('x-content-type-options')).toBe('nosniff');
    expect((await get('/probot')).status).toBe(404);
  });

  it('an operator sees a run and can let it go on, and one that is unknown is refused in words', async () => {
    const [run] = await runs();
    const shown = await askServer(app.dataDir, 'GET', `/runs/${run?.id}`, RunDetails);
    expect(shown).toMatchObject({ title: 'escapeQuote forgets single quotes', finished: ['prepare'], attempt: 1 });
    await askServer(app.dataDir, 'POST', `/runs/${run?.id}/retry`, RunSummary);
    await until(async () => (await runs())[0]?.attempt === 2);
    await ended(2);
    await expect(askServer(app.dataDir, 'POST', '/runs/nope/stop', RunSummary)).rejects.toThrow('is no run');
  }, 60_000);

  it('no line of the log holds a token, the key or the secret', () => {
    const text = JSON.stringify(app.log);
    expect(text).toContain('"run":');
    expect(text).not.toMatch(/ghs_|x-access-token|BEGIN RSA|a webhook secret for tests|Basic [A-Za-z0-9+/]{10}/);
  });
});
