import type { RunSettings } from './domain/settings.ts';
import { applyRepositoryConfig, parseRepositoryConfig } from './repository-config.ts';

/**
 * A sentence that names what `.github/fathom.yml` asks for and the operator does not allow, with what it got instead;
 * none where it got everything. `settings` are the operator's. @throws InputError as `applyRepositoryConfig` does.
 */
export function reductionsOf(text: string | undefined, settings: RunSettings): string[] {
  if (text === undefined || text.trim() === '') return [];
  const asked = parseRepositoryConfig(text);
  const got = applyRepositoryConfig(text, settings);
  const reduced = [
    less('questions', asked.questions, got.questions),
    less('findings', asked.findings, got.findings),
    less('verifier', asked.verifier, got.verifier),
    less('budget', asked.budget, got.budgetUsd),
    less('attempts', asked.attempts, got.attempts),
    less('timeout', asked.timeout, got.tests.timeoutSeconds),
    less('open-without-proof', asked['open-without-proof'], got.openWithoutProof),
  ].filter((part) => part !== undefined);
  if (reduced.length === 0) return [];
  return [`\`.github/fathom.yml\` asks for more than the operator of Fathom allows: ${reduced.join(', ')}.`];
}

const less = <T>(name: string, asked: T | undefined, got: T | undefined): string | undefined =>
  asked === undefined || asked === got ? undefined : `${name} is ${String(got)} and not ${String(asked)}`;
