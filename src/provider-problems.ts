import type { z } from 'zod';
import { nearestName } from './domain/nearest-name.ts';
import { settingWords } from './setting-problem.ts';

/** What is wrong at one place of a rule: where it stands below the rule, what it is, what to write. */
export interface RuleProblem {
  path: PropertyKey[];
  message: string;
  remedy: string;
}

const examples: Record<string, string> = {
  owners: '[acme]',
  installations: '[123]',
  repositories: '[acme/widget]',
  refuse: 'true',
  'base-url': 'https://host/v1',
  key: 'ACME_KEY',
  api: 'chat',
  model: 'NAME',
  models: '{ resolver: NAME }',
};
const settings = Object.keys(examples);

/** One finding of the schema, in the words of who writes rules. No value is repeated: it may be a key. */
export function ruleProblems(issue: z.core.$ZodIssue, roles: readonly string[]): RuleProblem[] {
  const path = [...issue.path];
  if (issue.code === 'unrecognized_keys') {
    const [what, known] = path.length === 0 ? ['setting', settings] : ['role', [...roles]];
    return issue.keys.map((key) => unknownName(key, what, known, [...path, key]));
  }
  if (path.length === 0) return [{ path, message: 'is no rule', remedy: 'Write it as `- owners: [acme]`.' }];
  return [{ path, message: `${nameOf(path)} ${settingWords(issue)}`, remedy: remedyFor(issue) }];
}

/**
 * What is wrong with a rule as a whole, whatever else is wrong in it. A key or a model of one provider is never used for
 * another, so that a rule that names an address has to name both.
 */
export function contradictionsIn(rule: object): RuleProblem[] {
  const given = (names: string[]) => names.filter((name) => name in rule);
  const say = (message: string, remedy: string) => [{ path: [], message, remedy }];
  const about = given(['owners', 'installations', 'repositories']);
  const provider = given(['base-url', 'key', 'api', 'model', 'models']);
  const missing = ['key', 'model'].filter((name) => !(name in rule));
  return [
    ...(about.length > 0
      ? []
      : say(
          'does not say whose code it is about',
          "Give it owners, installations or repositories; `owners: ['*']` is about everybody's.",
        )),
    ...('refuse' in rule && provider.length > 0
      ? say('refuses, and names a provider', `Take out refuse, or ${provider.join(', ')}.`)
      : []),
    ...('base-url' in rule && missing.length > 0
      ? say(
          `has a base-url and no ${missing.join(' and no ')}`,
          `Add ${missing.join(' and ')}: those of another provider are never used.`,
        )
      : []),
  ];
}

function unknownName(key: string, what: string, known: string[], path: PropertyKey[]): RuleProblem {
  const near = nearestName(key, known);
  const remedy = near ? `Did you mean \`${near}\`?` : `What may stand there is ${known.join(', ')}.`;
  return { path, message: `${JSON.stringify(key.slice(0, 60))} is no ${what}`, remedy };
}

/** `owners, entry 2`, `models.resolver`. */
const nameOf = ([first, ...rest]: PropertyKey[]): string =>
  [String(first), ...rest.map((part) => (typeof part === 'number' ? `, entry ${part + 1},` : `.${String(part)}`))].join(
    '',
  );

function remedyFor(issue: z.core.$ZodIssue): string {
  const name = String(issue.path[0]);
  if (name === 'refuse') return 'Write it as `refuse: true`, or leave it out.';
  if (name === 'key') return 'Set a variable to the key and write its name here, as `key: ACME_KEY`.';
  if (issue.code === 'invalid_type' && issue.expected === 'string') {
    return `Write it as \`${name}: ${examples[name]}\`; what looks like a number goes in quotes.`;
  }
  return `Write it as \`${name}: ${examples[name]}\`.`;
}
