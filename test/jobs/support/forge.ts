import { hashOfIssue } from '../../../src/domain/issue-snapshot.ts';
import type { IssueState, OpenWork, Permission } from '../../../src/domain/ports/forge.ts';
import type { WorkerPorts } from '../../../src/jobs/worker-ports.ts';

export interface FakeForge {
  forge: WorkerPorts['forge'];
  permissions: Map<string, Permission>;
  state: IssueState;
  /** Thrown by every question, while it is set. */
  failure: Error | undefined;
  asked: string[];
  reactions: string[];
  work: OpenWork;
}

/** A code host of which a test says what it answers. */
export function fakeForge(): FakeForge {
  const fake: FakeForge = {
    permissions: new Map([['alice', 'write']]),
    state: { open: true, locked: false, isPullRequest: false, labels: ['auto-triage', 'auto-diagnose'], hash: 'h' },
    failure: undefined,
    asked: [],
    reactions: [],
    work: { assignees: [], pullRequests: [], branches: [] },
    forge: {
      permission: async (_issue, actor) => {
        fake.asked.push(actor);
        if (fake.failure) throw fake.failure;
        return fake.permissions.get(actor) ?? 'read';
      },
      issueState: async () => fake.state,
      snapshot: async (_issue, trigger, { title, body }) => {
        const text = { title, body, comments: [] };
        return { ...text, trigger, hash: hashOfIssue(text) };
      },
      labelEvent: async () => undefined,
      openWork: async () => fake.work,
      react: async (_issue, reaction, comment) => void fake.reactions.push(`${reaction} ${comment}`),
    },
  };
  return fake;
}
