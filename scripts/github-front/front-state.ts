import type { Deliveries } from './deliveries.ts';
import type { EmulatorClient } from './emulator-client.ts';
import type { Faults } from './faults.ts';
import type { GitBridge } from './git-bridge.ts';

interface Token {
  /** Milliseconds since 1970. */
  expiresAt: number;
  /** The user it belongs to; absent for an installation's. */
  login?: string;
  /** Full names that it reaches; absent for all. */
  repositories?: string[];
  contents: 'read' | 'write' | 'none';
}

export interface FrontReaction {
  id: number;
  /** Path of the issue or comment that it is on. */
  on: string;
  content: string;
  by: string;
}

/** What the front knows and the emulator does not. Made once per front and handed to its parts. */
export interface FrontState {
  url: string;
  client: EmulatorClient;
  bridge: GitBridge;
  deliveries: Deliveries;
  faults: Faults;
  appId: number;
  slug: string;
  installationId: number;
  tokens: Map<string, Token>;
  reactions: FrontReaction[];
  /** Full names of repositories that refuse draft pull requests. */
  withoutDrafts: Set<string>;
  /** `owner/name#number` of issues that are no longer there, and where they went. */
  gone: Map<string, { movedTo?: string }>;
  /** `owner/name#number` of issues, and the branches that are linked to them by hand. */
  linked: Map<string, string[]>;
  /** Folder that holds `owner/name.git`. */
  gitRoot: string;
  /** `METHOD path` of every request, path percent-decoded and without its query. */
  requests: string[];
}

/** One request to the API, its body read. */
export interface ApiRequest {
  method: string;
  /** Percent-decoded, without the query. */
  path: string;
  url: URL;
  headers: Record<string, string>;
  token: string;
  body: Buffer;
}

export interface ApiAnswer {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
}

export const jsonAnswer = (status: number, value: unknown): ApiAnswer => ({
  status,
  headers: { 'content-type': 'application/json; charset=utf-8' },
  body: value === undefined ? Buffer.alloc(0) : Buffer.from(JSON.stringify(value)),
});

export function jsonOf<T>(bytes: Buffer): T {
  return JSON.parse(bytes.length === 0 ? '{}' : bytes.toString()) as T;
}

export const validationFailed = (resource: string, field: string, message: string): ApiAnswer =>
  jsonAnswer(422, { message: 'Validation Failed', errors: [{ resource, field, code: 'custom', message }] });

export const folderOf = (state: FrontState, fullName: string): string => `${state.gitRoot}/${fullName}.git`;
