import { CheckoutReader } from './checkout-reader.ts';
import type { Repository } from './repository.ts';
import { RepositoryError } from './repository-error.ts';

export interface WorkerRequest {
  id: number;
  method: Exclude<keyof Repository, 'close'>;
  args: unknown[];
}

export type WorkerReply =
  | { id: number; ok: true; value: unknown }
  | { id: number; ok: false; reason: RepositoryError['reason']; message: string };

/** The process behind `openRepository`: answers one request after the other over its channel, ends with its parent. */
function serve(tree: string, send: (reply: WorkerReply) => void): void {
  let reader: CheckoutReader | undefined;
  process.on('message', (message) => {
    const request = message as WorkerRequest;
    const answer = async (): Promise<unknown> => {
      reader ??= new CheckoutReader(tree);
      const method = reader[request.method] as (...args: unknown[]) => unknown;
      return await method.apply(reader, request.args);
    };
    answer().then(
      (value) => send({ id: request.id, ok: true, value }),
      (error: unknown) => send({ id: request.id, ok: false, ...described(error) }),
    );
  });
  process.on('disconnect', () => process.exit(0));
}

function described(error: unknown): { reason: RepositoryError['reason']; message: string } {
  if (error instanceof RepositoryError) return { reason: error.reason, message: error.message };
  return { reason: 'crashed', message: error instanceof Error ? error.message : String(error) };
}

const [, , tree] = process.argv;
if (process.send && tree !== undefined) serve(tree, (reply) => process.send?.(reply));
