import type { Forge } from '../domain/ports/forge.ts';
import type { RunInbox } from '../domain/ports/run-inbox.ts';
import type { RunLedger } from '../domain/ports/run-ledger.ts';
import type { Secrets } from '../domain/ports/secrets.ts';
import type { TrajectoryStore } from '../domain/ports/trajectory-store.ts';
import { redactValue } from './redact-value.ts';

/** A ledger whose artefacts and events hold no secret. */
export function guardLedger(ledger: RunLedger, secrets: Secrets): RunLedger {
  return {
    ...ledger,
    save: async (run, key, value) => ledger.save(run, key, await redactValue(value, secrets)),
    append: async (run, event) => ledger.append(run, await redactValue(event, secrets)),
  };
}

/** An inbox that keeps no secret that somebody wrote into an issue. */
export function guardInbox(inbox: RunInbox, secrets: Secrets): RunInbox {
  return {
    accept: async (entry) => {
      if (!('issue' in entry)) return inbox.accept(entry);
      const [title = '', body = ''] = await Promise.all(
        [entry.issue.title, entry.issue.body].map((text) => secrets.redact(text)),
      );
      const clean = { ...entry, issue: { ...entry.issue, title, body } };
      if (clean.kind !== 'command' || clean.correction === undefined) return inbox.accept(clean);
      const text = await secrets.redact(clean.correction.text);
      return inbox.accept({ ...clean, correction: { ...clean.correction, text } });
    },
  };
}

/** Transcripts without secrets. Their order is kept, since the longer look at one must not let the next pass by. */
export function guardTrajectories(store: TrajectoryStore, secrets: Secrets): TrajectoryStore {
  const turns = new Map<string, Promise<void>>();
  return {
    read: (run, agent) => store.read(run, agent),
    append: (run, agent, entry) => {
      const key = JSON.stringify([run, agent]);
      const clean = redactValue(entry, secrets);
      const before = turns.get(key) ?? Promise.resolve();
      const mine = before.catch(() => undefined).then(async () => store.append(run, agent, await clean));
      turns.set(key, mine);
      const done = () => void (turns.get(key) === mine && turns.delete(key));
      mine.then(done, done);
      return mine;
    },
  };
}

/** A code host to which no text goes with a secret in it: comments, titles, descriptions, commit messages. */
export function guardForge<T extends Pick<Forge, 'comment' | 'propose'>>(forge: T, secrets: Secrets): T {
  return {
    ...forge,
    comment: async (issue, marker, body) =>
      forge.comment(issue, marker, body === undefined ? undefined : await secrets.redact(body)),
    propose: async (proposal, signal) => {
      const [title, body, commitMessage] = await Promise.all(
        [proposal.title, proposal.body, proposal.commitMessage].map((text) => secrets.redact(text)),
      );
      return forge.propose({ ...proposal, ...definedTexts(title, body, commitMessage) }, signal);
    },
  };
}

const definedTexts = (title = '', body = '', commitMessage = '') => ({ title, body, commitMessage });
