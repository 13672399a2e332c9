import { type DestinationStream, type Logger, pino } from 'pino';

const DEPTH = 4;

/**
 * Structured lines, each passed through `redact` before it is written. Of errors only type, code, message, stack and
 * cause are written: others may carry requests.
 */
export function createLog(
  level: string,
  destination?: DestinationStream,
  redact: (line: string) => string = (line) => line,
): Logger {
  const serializers = { err: errorFields, error: errorFields };
  const options = { level, base: null, serializers, hooks: { streamWrite: redact } };
  return destination === undefined ? pino(options) : pino(options, destination);
}

function errorFields(error: unknown, depth = 0): unknown {
  // pg-boss tells of errors as objects that are none.
  if (!isError(error)) return typeof error === 'string' ? error : undefined;
  const cause = error.cause === undefined || depth >= DEPTH ? {} : { cause: errorFields(error.cause, depth + 1) };
  const code = 'code' in error ? { code: String(error.code) } : {};
  return { type: error.name, ...code, message: error.message, stack: error.stack, ...cause };
}

function isError(error: unknown): error is Error {
  return error instanceof Error || (typeof error === 'object' && error !== null && 'message' in error);
}
