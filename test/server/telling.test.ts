import { describe, expect, it } from 'vitest';
import { permalinks } from '#src/server/permalink.ts';
import { createRefusalTeller } from '#src/server/tell-refusal.ts';
import { silent } from '../github/forge-on-front.ts';

const lines = (startLine: number, endLine: number) => ({ path: 'src/a b/읽.ts', startLine, endLine });

describe('permalinks', () => {
  it('lie in the repository of the issue, at the base commit, whatever the path is made of', () => {
    const link = permalinks('https://ghe.example/acme/widget/issues/7', 'abc');
    expect(link(lines(3, 9))).toBe('https://ghe.example/acme/widget/blob/abc/src/a%20b/%EC%9D%BD.ts#L3-L9');
    expect(link(lines(3, 3))).toMatch(/#L3$/);
  });

  it('lead to the plain text of what GitHub would render, where lines have addresses', () => {
    const link = permalinks('https://github.com/acme/widget/issues/7', 'abc');
    const lines = { startLine: 3, endLine: 9 };
    expect(link({ path: 'docs/README.md', ...lines })).toMatch(/README\.md\?plain=1#L3-L9$/);
    expect(link({ path: 'src/main.ts', ...lines })).toMatch(/main\.ts#L3-L9$/);
  });

  it('are none where the address is not that of an issue', () => {
    for (const url of [undefined, 'https://x.example/acme/widget/pull/7', 'javascript:alert(1)/issues/1']) {
      expect(permalinks(url, 'abc')(lines(1, 2))).toBeUndefined();
    }
  });
});

describe('a refused request', () => {
  const issue = { key: '10#1', owner: 'acme', repo: 'widget', number: 1, installationId: '7', repositoryId: '10' };
  function teller() {
    const said: (string | undefined)[] = [];
    const reactions: unknown[] = [];
    const tell = createRefusalTeller(
      {
        comment: async (_issue, _marker, body) => {
          said.push(body);
          return { url: '' };
        },
        react: async (_issue, reaction, commentId) => {
          reactions.push([reaction, commentId]);
        },
      },
      silent,
    );
    return { tell, said, reactions };
  }
  const actor = { id: 1, login: 'alice' };

  it('for lack of money says when the budget starts anew', async () => {
    const { tell, said } = teller();
    const resetsAt = '2027-01-01T00:00:00.000Z';
    await tell({ issue, actor, refusal: { kind: 'budget', budget: 'repository', resetsAt } });
    expect(said[0]).toContain('2027-01-01');
  });

  it('by one bot too many says that people still may', async () => {
    const { tell, said } = teller();
    await tell({ issue, actor, refusal: { kind: 'bots', where: 'issue', runs: 3, hours: 24 } });
    expect(said[0]).toContain('3 runs on this issue within 24 hours');
  });

  it('by a stranger gets a reaction and no comment, so that nobody makes the App write', async () => {
    const { tell, said, reactions } = teller();
    await tell({ issue, actor, commentId: 9, refusal: { kind: 'permission', needed: 'write' } });
    expect([said, reactions]).toEqual([[], [['confused', 9]]]);
  });

  it('that is no command gets a reaction, and the commands that there are', async () => {
    const { tell, said, reactions } = teller();
    await tell({ issue, actor, commentId: 9, refusal: { kind: 'unknown-command' } });
    expect(reactions).toEqual([['confused', 9]]);
    for (const name of ['diagnose', 'resolve', 'retry', 'stop', 'answer']) expect(said[0]).toContain(`/fathom ${name}`);
  });

  it('to stop where nothing runs gets a reaction and says so', async () => {
    const { tell, said, reactions } = teller();
    await tell({ issue, actor, commentId: 9, refusal: { kind: 'nothing-runs' } });
    expect([said, reactions]).toEqual([['Nothing is running here.'], [['confused', 9]]]);
  });

  it('on an issue that is gone or closed says nothing', async () => {
    const { tell, said, reactions } = teller();
    await tell({ issue, actor, refusal: { kind: 'issue', state: 'closed' } });
    expect([said, reactions]).toEqual([[], []]);
  });

  it('that cannot be told fails nothing', async () => {
    const failing = async () => {
      throw new Error('no');
    };
    const tell = createRefusalTeller({ comment: failing, react: failing }, silent);
    await tell({ issue, actor, refusal: { kind: 'failures', inARow: 5 } });
  });
});
