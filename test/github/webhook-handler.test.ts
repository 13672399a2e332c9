import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { GitHubFront } from '../../scripts/github-front/github-front.ts';
import { startGitHubFront } from '../../scripts/github-front/start-github-front.ts';
import { type AppServer, startAppServer } from './app-server.ts';
import { forgeOn } from './forge-on-front.ts';

let front: GitHubFront;
let app: AppServer;
let issue = 0;

beforeAll(async () => {
  front = await startGitHubFront({
    repositories: [
      {
        owner: 'acme',
        name: 'widget',
        content: { commits: [{ message: 'Start', files: { 'README.md': '# widget\n' } }] },
        roles: { maria: 'write' },
        labels: ['auto-triage', 'auto-diagnose', 'good first issue'],
      },
    ],
    users: ['mallory'],
  });
  app = await startAppServer(front);
});
afterAll(async () => {
  await front.stop();
  await app.stop();
});

async function openIssue(title = '버튼이 사라집니다', body = '재현 방법:\n1. 클릭\n') {
  const opened = await front.as('mallory').open('acme/widget', { title, body });
  issue = opened.number;
  app.inbox.entries.length = 0;
  return opened;
}
/** The answered delivery of this event on the issue that was opened last. */
const arrived = (event: string, action: string) =>
  front.deliveries.arrived(
    (delivery) =>
      delivery.event === event &&
      delivery.action === action &&
      delivery.body.toString().includes(`/acme/widget/issues/${issue}"`),
  );
describe('what is kept of a delivery', () => {
  test('a label of ours on a Korean issue is stored with the text as it stood, before the delivery is answered', async () => {
    await openIssue();
    await front.as('maria').label('acme/widget', issue, 'auto-triage');
    const delivery = await arrived('issues', 'labeled');
    expect(delivery.statuses).toEqual([200]);
    expect(app.inbox.entries).toMatchObject([
      {
        kind: 'labeled',
        mode: 'resolve',
        label: 'auto-triage',
        deliveryId: delivery.id,
        installationId: front.installationId,
        actor: { login: 'maria' },
        repository: { owner: 'acme', name: 'widget', private: false },
        issue: {
          number: issue,
          title: '버튼이 사라집니다',
          body: '재현 방법:\n1. 클릭\n',
          author: 'mallory',
          open: true,
        },
      },
    ]);
  });

  test('a redelivery is answered with success and asks for nothing twice, as we believe GitHub keeps its id', async () => {
    await openIssue();
    await front.as('maria').label('acme/widget', issue, 'auto-diagnose');
    const delivery = await arrived('issues', 'labeled');
    expect(await front.deliveries.redeliver(delivery.id)).toBe(200);
    expect(app.inbox.entries).toHaveLength(1);
  });

  test('another label asks for nothing, although the issue has one of ours besides', async () => {
    await openIssue();
    await front.as('maria').label('acme/widget', issue, 'auto-triage');
    await arrived('issues', 'labeled');
    app.inbox.entries.length = 0;
    await front.as('maria').label('acme/widget', issue, 'good first issue');
    await front.deliveries.arrived(
      ({ body }) => body.includes('"label":{"id":3') && body.includes(`/issues/${issue}"`),
    );
    expect(app.inbox.entries).toEqual([]);
  });

  test('the label that a bot puts on asks for nothing', async () => {
    await openIssue();
    const octokit = forgeOn(front).installations.octokitFor({ owner: 'acme', repo: 'widget' });
    const labels = ['auto-triage'];
    await octokit.rest.issues.addLabels({ owner: 'acme', repo: 'widget', issue_number: issue, labels });
    expect((await arrived('issues', 'labeled')).body.toString()).toContain('"type":"Bot"');
    expect(app.inbox.entries).toEqual([]);
  });

  test('the label on a pull request asks for nothing, as we believe GitHub tells of it', async () => {
    const { object } = await front.admin.call<{ object: { sha: string } }>(
      'GET',
      '/repos/acme/widget/git/ref/heads/main',
    );
    const ref = { ref: 'refs/heads/feature', sha: object.sha };
    await front.admin.call('POST', '/repos/acme/widget/git/refs', ref);
    const file = { message: 'x', content: 'eA==', branch: 'feature' };
    await front.admin.call('PUT', '/repos/acme/widget/contents/x.txt', file);
    const pull = await front.admin.call<{ number: number }>('POST', '/repos/acme/widget/pulls', {
      title: 'x',
      head: 'feature',
      base: 'main',
    });
    app.inbox.entries.length = 0;
    await front.as('maria').label('acme/widget', pull.number, 'auto-triage');
    await front.deliveries.arrived(({ event, action }) => event === 'pull_request' && action === 'labeled');
    await front.as('maria').comment('acme/widget', pull.number, '/fathom resolve');
    await front.deliveries.arrived(({ event, body }) => event === 'issue_comment' && body.includes('pull_request'));
    expect(app.inbox.entries).toEqual([]);
  });

  test.each(['unlabeled', 'closed', 'locked', 'edited'])('an issue that is %s reaches the inbox', async (what) => {
    await openIssue();
    const maria = front.as('maria');
    await maria.label('acme/widget', issue, 'auto-triage');
    if (what === 'unlabeled') await maria.unlabel('acme/widget', issue, 'auto-triage');
    if (what === 'closed') await maria.close('acme/widget', issue);
    if (what === 'locked') await maria.lock('acme/widget', issue);
    if (what === 'edited') await maria.edit('acme/widget', issue, { body: 'something else' });
    await arrived('issues', what);
    expect(app.inbox.entries.map((entry) => entry.kind)).toContain(what);
  });

  test('an issue that is deleted or transferred reaches the inbox, as we believe GitHub tells of it', async () => {
    await openIssue();
    await front.transferIssue('acme/widget', issue, 'maria', `${front.url}/repos/acme/other/issues/1`);
    await openIssue();
    await front.deleteIssue('acme/widget', issue, 'maria');
    expect(app.inbox.entries).toMatchObject([{ kind: 'deleted', issue: { number: issue } }]);
  });

  test('a command counts by its first line only, and only once', async () => {
    await openIssue();
    const maria = front.as('maria');
    await maria.comment('acme/widget', issue, 'I would say\n/fathom resolve');
    const mistyped = await maria.comment('acme/widget', issue, '/fathom resolve-everything now');
    await front.deliveries.arrived(({ body }) => body.includes('resolve-everything'));
    const comment = await maria.comment('acme/widget', issue, '/fathom Retry please\nthanks');
    const delivery = await front.deliveries.arrived(({ body }) => body.includes('Retry please'));
    await front.deliveries.redeliver(delivery.id);
    expect(app.inbox.entries).toMatchObject([
      { kind: 'command', command: 'unknown', comment: { id: mistyped.id } },
      { kind: 'command', command: 'retry', comment: { id: comment.id } },
    ]);
  });

  test('an App that is uninstalled reaches the inbox, as we believe GitHub tells of it', async () => {
    app.inbox.entries.length = 0;
    await front.changeInstallation('installation', 'deleted', 'octo-admin');
    expect(app.inbox.entries).toMatchObject([{ kind: 'uninstalled', installationId: front.installationId }]);
  });
});
