import { CommandName } from '../../domain/inbox.ts';

/** The command in a comment's first line, `/fathom diagnose` for one. Further words and lines are not read. */
export function commandOf(body: string): CommandName | undefined {
  const line = body.slice(0, 200).split('\n', 1)[0] ?? '';
  const [slash, name] = line.trim().toLowerCase().split(/\s+/, 2);
  if (slash !== '/fathom') return undefined;
  return CommandName.safeParse(name).data;
}
