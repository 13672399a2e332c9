import { readFileSync } from 'node:fs';
import { isNode, LineCounter, parseDocument } from 'yaml';
import { z } from 'zod';
import { InputError, type Problem } from './domain/errors.ts';
import type { RepairRole } from './domain/settings.ts';
import { contradictionsIn, type RuleProblem, ruleProblems } from './provider-problems.ts';

const Role = z.enum(['questioner', 'answerer', 'localizer', 'verifier', 'resolver'] satisfies RepairRole[]);
const names = z.array(z.string().min(1)).min(1);

/** Whose code a rule is about, and which provider it may be sent to. What is not said is as in the environment. */
const ProviderRule = z.strictObject({
  /** Logins of users and organizations; `*` for everybody. */
  owners: names.optional(),
  installations: z.array(z.int().positive()).min(1).optional(),
  /** As `owner/name`. */
  repositories: names.optional(),
  /** Their code is sent nowhere. */
  refuse: z.literal(true).optional(),
  'base-url': z.url({ protocol: /^https?$/ }).optional(),
  /** Names the variable that holds the key; the key itself is in no file. */
  key: z
    .string()
    .regex(/^[A-Z][A-Z0-9_]*$/, 'is no name of a variable')
    .optional(),
  api: z.enum(['responses', 'chat']).optional(),
  model: z.string().min(1).optional(),
  models: z.partialRecord(Role, z.string().min(1)).optional(),
});
type ParsedRule = z.infer<typeof ProviderRule>;

export interface ProviderRule extends Omit<ParsedRule, 'key'> {
  /** The key itself. */
  apiKey?: string;
}

/** Whose code is to be sent. */
export interface CodeOwner {
  owner: string;
  repo: string;
  installationId: number;
}

const SOURCE = 'FATHOM_PROVIDERS';

/**
 * Reads the file of rules (YAML: a list) that says which provider may see whose code. Absent: everybody's code goes to
 * the one provider of the environment. @throws InputError with everything that is wrong in it, each with its line
 */
export function readProviders(path: string | undefined, variables: NodeJS.Dict<string>): ProviderRule[] | undefined {
  if (path === undefined) return undefined;
  const { list, lineOf } = readList(path);
  const read = list.map((rule) => readRule(rule, variables));
  const found = read.flatMap(({ problems }, index) =>
    problems.map((one) => ({ ...one, rule: index + 1, line: lineOf([index, ...one.path]) })),
  );
  if (found.length > 0) throw new InputError(found.sort((a, b) => a.line - b.line).map((one) => toProblem(path, one)));
  return read.flatMap(({ rule }) => rule ?? []);
}

/** The first rule that is about this code; undefined where none is or where it refuses: then nothing is sent anywhere. */
export function providerRuleFor(rules: ProviderRule[], code: CodeOwner): ProviderRule | undefined {
  const rule = rules.find((one) => isAbout(one, code));
  return rule?.refuse ? undefined : rule;
}

function isAbout({ owners, installations, repositories }: ProviderRule, code: CodeOwner): boolean {
  const owner = code.owner.toLowerCase();
  const full = `${owner}/${code.repo.toLowerCase()}`;
  return (
    (owners === undefined || owners.some((name) => name === '*' || name.toLowerCase() === owner)) &&
    (installations === undefined || installations.includes(code.installationId)) &&
    (repositories === undefined || repositories.some((name) => name.toLowerCase() === full))
  );
}

interface PlacedProblem extends RuleProblem {
  rule: number;
  line: number;
}

const toProblem = (path: string, { line, rule, message, remedy }: PlacedProblem): Problem => ({
  source: SOURCE,
  message: `${path}, line ${line}, rule ${rule}: ${message}`,
  remedy,
});

interface RuleFile {
  list: unknown[];
  /** The line on which a place of the list begins, or the nearest around it. */
  lineOf(path: PropertyKey[]): number;
}

function readList(path: string): RuleFile {
  const lines = new LineCounter();
  const document = parseDocument(textOf(path), { lineCounter: lines, schema: 'core', logLevel: 'error' });
  if (document.errors.length > 0) {
    throw new InputError(
      document.errors.map((error) => {
        const message = `${path}, line ${lines.linePos(error.pos[0]).line}: is not valid YAML`;
        return { source: SOURCE, message, remedy: `Correct it there: ${error.message.split('\n')[0]}` };
      }),
    );
  }
  const list = plainOf(path, document);
  if (!Array.isArray(list)) {
    const message = `${path}, line 1: ${list === null ? 'there are no rules' : 'the rules are not a list'}`;
    throw new InputError([{ source: SOURCE, message, remedy: 'Begin each rule with `- `, as `- owners: [acme]`.' }]);
  }
  const lineOf = (place: PropertyKey[]): number => {
    const node = document.getIn(place, true);
    const range = isNode(node) ? node.range : undefined;
    if (range) return lines.linePos(range[0]).line;
    return place.length === 0 ? 1 : lineOf(place.slice(0, -1));
  };
  return { list, lineOf };
}

function plainOf(path: string, document: ReturnType<typeof parseDocument>): unknown {
  try {
    return document.toJS();
  } catch (cause) {
    const message = `${path}: an alias stands for nothing, or for too much`;
    throw new InputError([{ source: SOURCE, message, remedy: 'Write the value out.' }], { cause });
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    const remedy = 'Give the path of a YAML file; docs/operations.md shows one.';
    throw new InputError([{ source: SOURCE, message: `${path} cannot be read`, remedy }], { cause });
  }
}

function readRule(given: unknown, variables: NodeJS.Dict<string>): { rule?: ProviderRule; problems: RuleProblem[] } {
  const parsed = ProviderRule.safeParse(given);
  const problems = parsed.success ? [] : parsed.error.issues.flatMap((issue) => ruleProblems(issue, Role.options));
  if (typeof given === 'object' && given !== null && !Array.isArray(given)) {
    problems.push(...contradictionsIn(given), ...unsetKey(given, variables));
  }
  if (!parsed.success) return { problems };
  const { key, ...rule } = parsed.data;
  const apiKey = key === undefined ? undefined : variables[key];
  return { rule: apiKey ? { ...rule, apiKey } : rule, problems };
}

/** Also in a rule of which something else is wrong. */
function unsetKey(rule: object, variables: NodeJS.Dict<string>): RuleProblem[] {
  const key = ProviderRule.shape.key.safeParse('key' in rule ? rule.key : undefined).data;
  if (key === undefined || variables[key]) return [];
  return [{ path: ['key'], message: `${key} is not set`, remedy: `Set ${key} to the key of that provider.` }];
}
