import { onTestFinished } from 'vitest';
import type { ChatModel } from '#src/domain/ports/index.ts';
import { type ChatModelOptions, createChatModel } from '#src/model/create-chat-model.ts';
import { type ChatServer, type ServedAnswer, type ServedRequest, startChatServer } from '../fakes/chat-server.ts';
import { type TestClock, testClock } from '../fakes/test-clock.ts';

export const neverAborted = new AbortController().signal;

export type Api = ChatModelOptions['api'];
export const bothApis: Api[] = ['chat', 'responses'];

export interface Setting {
  model: ChatModel;
  server: ChatServer;
  clock: TestClock;
}

/** A chat model in front of a real server that answers as `script` says. Backoff takes no time; time limits stand still. */
export async function modelAtServer(
  api: Api,
  script: (request: ServedRequest) => ServedAnswer | Promise<ServedAnswer>,
  options: Partial<ChatModelOptions> = {},
): Promise<Setting> {
  const server = await startChatServer(script);
  onTestFinished(() => server.close());
  const clock = testClock(undefined, 300_000);
  const model = createChatModel({
    api,
    baseUrl: server.url,
    apiKey: 'sk-test-0123456789',
    clock,
    random: () => 0.5,
    ...options,
  });
  return { model, server, clock };
}

/** What `promise` was rejected with. Fails where it was not. */
export async function rejection(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error('it was expected to fail');
}
