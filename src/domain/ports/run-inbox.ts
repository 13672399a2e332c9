import type { InboxEntry } from '../inbox.ts';

/** Where verified webhook deliveries are kept until a worker acts on them. */
export interface RunInbox {
  /**
   * Resolves once the entry is stored for good. `known` when an entry with the same delivery id or event key was
   * accepted before: then nothing happens. @throws EnvironmentError when it cannot be stored.
   */
  accept(entry: InboxEntry): Promise<'new' | 'known'>;
}
