import { Agent, request } from 'undici';
import { readErrorBody } from './error-body.ts';
import { modelError } from './model-errors.ts';

export interface TransportOptions {
  /** Bytes of one reply above which it is given up. */
  replyBytes: number;
  /** Never shown, even where a server repeats it in its error. */
  apiKey: string;
}

type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/**
 * The `fetch` that the client works with. It differs from Node's in four ways: it waits as long as the caller does
 * (Node gives up after 300 seconds without headers, and a reasoning model may take longer), it bounds the reply, it
 * never follows a redirect with the key, and it brings every dialect of error into OpenAI's shape.
 */
export function createTransport(options: TransportOptions): Fetch {
  const dispatcher = new Agent({ headersTimeout: 0, bodyTimeout: 0, maxResponseSize: options.replyBytes });
  return async (input, init) => {
    const { statusCode, headers, body } = await request(input instanceof Request ? input.url : input, {
      method: 'POST',
      headers: Object.fromEntries(new Headers(init?.headers)),
      body: typeof init?.body === 'string' ? init.body : null,
      signal: init?.signal ?? null,
      dispatcher,
    });
    const text = await body.text();
    if (statusCode >= 300 && statusCode < 400) throw redirected(headers['location']);
    if (statusCode < 200 || statusCode > 299) return refusal(statusCode, headers, withoutKey(text, options.apiKey));
    return new Response(json(text), { status: 200, headers: { 'content-type': 'application/json' } });
  };
}

/** The text when it is JSON. Nothing at all becomes `null`, which the APIs take for an empty reply. */
function json(text: string): string {
  if (text.trim() === '') return 'null';
  try {
    JSON.parse(text);
    return text;
  } catch (cause) {
    throw modelError('invalid-reply', 'the reply is not JSON', cause);
  }
}

/** A short key is a placeholder, and an ordinary word of many messages. */
const withoutKey = (text: string, key: string): string => (key.length < 8 ? text : text.replaceAll(key, '…'));

const redirected = (location: unknown) =>
  modelError(
    'invalid-reply',
    `the address answers with a redirect${typeof location === 'string' ? ` to ${location}` : ''}`,
  );

function refusal(status: number, headers: Record<string, string | string[] | undefined>, text: string): Response {
  const kept = ['retry-after', 'retry-after-ms', 'x-should-retry', 'x-request-id'].flatMap((name) => {
    const value = headers[name];
    return typeof value === 'string' ? [[name, value] as [string, string]] : [];
  });
  return new Response(JSON.stringify({ error: readErrorBody(text) }), {
    status,
    headers: [...kept, ['content-type', 'application/json']],
  });
}
