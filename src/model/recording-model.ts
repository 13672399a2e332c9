import type { ChatModel, Clock } from '../domain/ports/index.ts';
import type { RecordedCall } from './recording.ts';

/**
 * A model that keeps every reply of `inner`. `append` gets one line of JSON without its line break, and is waited for
 * before the reply is given: what a run has acted on is in its recording. What `append` throws, the call throws.
 */
export function recordingModel(
  inner: ChatModel,
  append: (line: string) => Promise<void>,
  clock: Pick<Clock, 'monotonic'>,
): ChatModel {
  return {
    price: (model, usage) => inner.price(model, usage),
    describe: () => inner.describe(),
    async complete(request, signal) {
      const started = clock.monotonic();
      const reply = await inner.complete(request, signal);
      const { role, agent, step, promptHash, settings } = request;
      const seconds = (clock.monotonic() - started) / 1000;
      const call: RecordedCall = { role, agent, step, promptHash, model: settings.model, reply, seconds };
      await append(JSON.stringify(call));
      return reply;
    },
  };
}
