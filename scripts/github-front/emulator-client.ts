interface Answer<T> {
  status: number;
  data: T;
}

/** Talks to the emulator itself, past the front, as a user who may do everything. */
export interface EmulatorClient {
  url: string;
  call<T>(method: string, path: string, body?: unknown): Promise<Answer<T>>;
  /** The body of a 2xx answer. Throws for any other. */
  need<T>(method: string, path: string, body?: unknown): Promise<T>;
}

export function createEmulatorClient(url: string, token: string): EmulatorClient {
  async function call<T>(method: string, path: string, body?: unknown): Promise<Answer<T>> {
    const headers = { authorization: `token ${token}`, 'content-type': 'application/json' };
    const init = body === undefined ? { method, headers } : { method, headers, body: JSON.stringify(body) };
    const response = await fetch(url + path, init);
    const text = await response.text();
    return { status: response.status, data: (text === '' ? undefined : JSON.parse(text)) as T };
  }
  async function need<T>(method: string, path: string, body?: unknown): Promise<T> {
    const answer = await call<T>(method, path, body);
    if (answer.status < 300) return answer.data;
    throw new Error(`${method} ${path}: the emulator answered ${answer.status} ${JSON.stringify(answer.data)}`);
  }
  return { url, call, need };
}
