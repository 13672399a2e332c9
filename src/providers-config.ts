import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';
import { InputError, type Problem } from './domain/errors.ts';
import type { RepairRole } from './domain/settings.ts';

const Role = z.enum(['questioner', 'answerer', 'localizer', 'verifier', 'resolver'] satisfies RepairRole[]);
const names = z.array(z.string().min(1)).min(1);

/** Whose code a rule is about, and which provider it may be sent to. What is not said is as in the environment. */
const ProviderRule = z
  .strictObject({
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
  })
  .refine(
    (rule) => rule.owners ?? rule.installations ?? rule.repositories,
    'says of nobody: give owners, installations or repositories',
  )
  .refine(
    (rule) =>
      rule.refuse === undefined ||
      (rule['base-url'] ?? rule.key ?? rule.api ?? rule.model ?? rule.models) === undefined,
    'refuses, and names a provider',
  )
  .refine(
    (rule) => rule['base-url'] === undefined || (rule.key !== undefined && rule.model !== undefined),
    'has a base-url, but not both a key and a model: those of another provider are never used',
  );
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
 * the one provider of the environment. @throws InputError
 */
export function readProviders(path: string | undefined, variables: NodeJS.Dict<string>): ProviderRule[] | undefined {
  if (path === undefined) return undefined;
  const parsed = z.array(ProviderRule).safeParse(contentOf(path));
  if (!parsed.success) throw new InputError(parsed.error.issues.map((issue) => problemIn(path, issue)));
  return parsed.data.map((rule, index) => withKey(path, rule, index, variables));
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

function contentOf(path: string): unknown {
  try {
    return parse(readFileSync(path, 'utf8'), { schema: 'core' });
  } catch (cause) {
    const remedy = 'Give the path of a YAML file; docs/operations.md shows one.';
    throw new InputError([{ source: SOURCE, message: `${path} cannot be read`, remedy }], { cause });
  }
}

function problemIn(path: string, issue: z.core.$ZodIssue): Problem {
  const [index, ...rest] = issue.path;
  const place = index === undefined ? '' : `, rule ${Number(index) + 1}${rest.length > 0 ? `, ${rest.join('.')}` : ''}`;
  return {
    source: SOURCE,
    message: `${path}${place}: ${issue.message}`,
    remedy: 'docs/operations.md shows such a file.',
  };
}

function withKey(
  path: string,
  { key, ...rule }: ParsedRule,
  index: number,
  variables: NodeJS.Dict<string>,
): ProviderRule {
  if (key === undefined) return rule;
  const apiKey = variables[key];
  if (apiKey) return { ...rule, apiKey };
  const message = `${path}, rule ${index + 1}: ${key} is not set`;
  throw new InputError([{ source: SOURCE, message, remedy: `Set ${key} to the key of that provider.` }]);
}
