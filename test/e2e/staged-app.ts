import { z } from 'zod';
import { askServer } from '#src/cli/admin-client.ts';
import { RunSummary } from '#src/jobs/operations.ts';
import type { FrontRepository } from '../../scripts/github-front/front-options.ts';
import type { GitHubFront } from '../../scripts/github-front/github-front.ts';
import { startGitHubFront } from '../../scripts/github-front/start-github-front.ts';
import { type ChatServer, type ServedAnswer, type ServedRequest, startChatServer } from '../fakes/chat-server.ts';
import { until } from '../jobs/support/worker.ts';
import { type RunningApp, startOn } from '../server/app-on-front.ts';

export interface Gate {
  /** When the model was asked about the issue that the gate is for. */
  reached: Promise<void>;
  /** Lets the model answer. */
  open(): void;
}

export interface StagedApp {
  front: GitHubFront;
  app: RunningApp;
  model: ChatServer;
  /** Opens an issue as its reporter and gives its number. */
  open(title: string, body?: string): Promise<number>;
  runs(number: number): Promise<RunSummary[]>;
  /** The runs of the issue, once there are `count` and all have ended. */
  ended(number: number, count?: number): Promise<RunSummary[]>;
  /** What the App has written on the issue. */
  said(number: number): Promise<string[]>;
  /** From now on the model waits when a conversation has these words in it. */
  hold(words: string): Gate;
  stop(): Promise<void>;
}

export interface StageOptions {
  repository: FrontRepository;
  users?: string[];
  settings?: Record<string, string>;
  script(request: ServedRequest): ServedAnswer;
}

/** The whole product on the front, with a scripted model behind HTTP: one App for many issues of one repository. */
export async function startStagedApp({ repository, users = [], settings, script }: StageOptions): Promise<StagedApp> {
  const gates: { words: string; arrive(): void; opened: Promise<void> }[] = [];
  const model = await startChatServer(async (request) => {
    for (const gate of gates.filter(({ words }) => request.text.includes(words))) {
      gate.arrive();
      await gate.opened;
    }
    return script(request);
  });
  const front = await startGitHubFront({ repositories: [repository], users: ['rita', ...users] });
  const speaks = { OPENAI_API_KEY: 'test', OPENAI_BASE_URL: model.url, FATHOM_MODEL: 'scripted' };
  const app = await startOn(front, { ...speaks, ...settings });
  const name = `${repository.owner}/${repository.name}`;
  const runs = async (number: number) => {
    const all = await askServer(app.dataDir, 'GET', '/runs?limit=200', z.array(RunSummary));
    return all.filter((run) => run.issue === `${name}#${number}`);
  };
  return {
    front,
    app,
    model,
    open: async (title, body = 'It goes wrong.') => (await front.as('rita').open(name, { title, body })).number,
    runs,
    ended: (number, count = 1) =>
      until(async () => {
        const all = await runs(number);
        return all.length >= count && all.every((run) => run.state === 'ended') ? all : undefined;
      }),
    said: async (number) =>
      (await front.admin.comments(name, number))
        .filter((comment) => comment.user.login === front.bot.login)
        .map((comment) => comment.body),
    hold(words) {
      const reached = Promise.withResolvers<void>();
      const opened = Promise.withResolvers<void>();
      gates.push({ words, arrive: reached.resolve, opened: opened.promise });
      return { reached: reached.promise, open: opened.resolve };
    },
    async stop() {
      await app.stop();
      await front.stop();
      await model.close();
    },
  };
}
