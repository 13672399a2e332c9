import type { Problem } from './domain/errors.ts';

type Setting =
  | 'OPENAI_API_KEY'
  | 'FATHOM_MODEL'
  | 'FATHOM_RESOLVER_MODEL'
  | 'FATHOM_RECORD'
  | 'FATHOM_PLAYBACK'
  | 'FATHOM_PRICE_INPUT'
  | 'FATHOM_PRICE_OUTPUT';

/** Settings that do not go together, by what is set and what is not, whatever the values are. */
export function contradictions(env: Partial<Record<Setting, string | undefined>>): Problem[] {
  const { FATHOM_MODEL: model, FATHOM_RECORD: record, OPENAI_API_KEY: key } = env;
  // A recording needs neither model nor key, so none can be missing.
  if (env.FATHOM_PLAYBACK !== undefined) {
    const source = 'FATHOM_RECORD, FATHOM_PLAYBACK';
    const remedy = 'Record a model or play a recording, not both.';
    return record === undefined ? [] : [{ source, message: 'are both set', remedy }];
  }
  const problems: Problem[] = [];
  const say = (source: string, message: string, remedy: string) => problems.push({ source, message, remedy });
  const named = model ?? env.FATHOM_RESOLVER_MODEL;
  if (named && !key) {
    const remedy = 'Set the key of the provider; any text will do where the server asks for none.';
    say('OPENAI_API_KEY', `is not set, but the model ${named} is named`, remedy);
  }
  if (key && !model) {
    const remedy = 'Name a model with --model or FATHOM_MODEL; unset OPENAI_API_KEY to only rank suspects.';
    say('FATHOM_MODEL', 'is not set, but OPENAI_API_KEY is', remedy);
  }
  if (record && !model) {
    say('FATHOM_RECORD', 'is set, but no model is', 'Name the model to record with FATHOM_MODEL, or unset this.');
  }
  if ((env.FATHOM_PRICE_INPUT === undefined) !== (env.FATHOM_PRICE_OUTPUT === undefined)) {
    const remedy = 'Set both, in US dollars per million tokens, or neither.';
    say('FATHOM_PRICE_INPUT, FATHOM_PRICE_OUTPUT', 'only one of them is set', remedy);
  }
  return problems;
}
