import { FathomError } from '../domain/errors.ts';

/** The checkout could not be read: too slow, too large for memory, not there, or already closed. */
export class RepositoryError extends FathomError {
  readonly reason: 'timed-out' | 'crashed' | 'unreadable' | 'closed';

  constructor(reason: RepositoryError['reason'], message: string, options?: ErrorOptions) {
    super(`repository-${reason}`, message, REMEDIES[reason], options);
    this.reason = reason;
  }
}

const REMEDIES = {
  'timed-out': 'Ask for less: a folder instead of the whole repository, or a rarer word.',
  crashed: 'Try again; if it repeats, the repository is too large for this machine.',
  unreadable: 'See that the checkout exists and that this user may read it.',
  closed: 'Open the repository again.',
} as const;
