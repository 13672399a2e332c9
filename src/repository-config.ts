import { isMap, isScalar, LineCounter, parseDocument } from 'yaml';
import { z } from 'zod';
import { InputError, type Problem } from './domain/errors.ts';
import { nearestName } from './domain/nearest-name.ts';
import type { RunSettings } from './domain/settings.ts';
import { settingWords } from './setting-problem.ts';

/** The parser takes time that grows faster than some texts do: seconds for 64 KiB of them. */
const maxBytes = 16 * 1024;
const command = z.string().min(1).max(4000);

/** What a repository may say in `.github/fathom.yml`. It can ask for less than the operator allows, never for more. */
export const RepositoryConfig = z
  .strictObject({
    questions: z.int().min(0).max(5),
    findings: z.boolean(),
    verifier: z.enum(['off', 'light', 'full']),
    budget: z.number().positive(),
    image: z.string().max(300),
    setup: command,
    test: command,
    timeout: z.number().positive().max(7200),
    protected: z.array(z.string().max(300)).max(200),
    'open-without-proof': z.boolean(),
    attempts: z.int().min(1).max(5),
  })
  .partial();
export type RepositoryConfig = z.infer<typeof RepositoryConfig>;

/**
 * Reads the text of `.github/fathom.yml` at the base commit (undefined where there is none) and lays it over the
 * operator's settings. @throws InputError with every problem at once, each with its line and the remedy.
 */
export function applyRepositoryConfig(text: string | undefined, settings: RunSettings): RunSettings {
  if (text === undefined || text.trim() === '') return settings;
  const config = parseRepositoryConfig(text);
  refuseImage(config.image, settings);
  return {
    ...settings,
    questions: Math.min(config.questions ?? settings.questions, settings.questions),
    findings: settings.findings && (config.findings ?? true),
    verifier: lesser(config.verifier ?? settings.verifier, settings.verifier),
    budgetUsd: Math.min(config.budget ?? settings.budgetUsd, settings.budgetUsd),
    protectedPaths: [...settings.protectedPaths, ...(config.protected ?? [])],
    openWithoutProof: mayOpenWithoutProof(settings) && (config['open-without-proof'] ?? settings.openWithoutProof),
    attempts: attemptsOf(config, settings),
    tests: {
      ...settings.tests,
      ...(config.image === undefined ? {} : { image: config.image }),
      ...(config.setup === undefined ? {} : { setup: config.setup }),
      ...(config.test === undefined ? {} : { test: config.test }),
      timeoutSeconds: Math.min(config.timeout ?? settings.tests.timeoutSeconds, settings.tests.timeoutSeconds),
    },
  };
}

const VERIFIERS = ['off', 'light', 'full'] as const;

const lesser = (asked: RunSettings['verifier'], most: RunSettings['verifier']): RunSettings['verifier'] =>
  VERIFIERS.indexOf(asked) < VERIFIERS.indexOf(most) ? asked : most;

const mayOpenWithoutProof = (settings: RunSettings): boolean => settings.repositoryLimits?.openWithoutProof !== false;

/** An engine has images of others too: what another set-up prepared, or what the operator keeps there. */
function refuseImage(image: string | undefined, { repositoryLimits, sandboxImage }: RunSettings): void {
  if (image === undefined || image === sandboxImage) return;
  const { images = ['*'] } = repositoryLimits ?? {};
  const matches = (name: string) => (name.endsWith('*') ? image.startsWith(name.slice(0, -1)) : image === name);
  if (IMAGE_NAME.test(image) && !PREPARED.test(image) && images.some(matches)) return;
  const remedy = 'Leave `image` out, or ask whoever runs Fathom to add it to FATHOM_REPOSITORY_IMAGES.';
  fail([problem(1, `image: the operator does not allow ${JSON.stringify(image.slice(0, 80))}`, remedy)]);
}

/** A name with or without a tag or digest. An id, by which any image can be had, is no name, and two digits may be one. */
const IMAGE_NAME = /^(?!(?:sha256:)?[0-9a-f]{1,64}$)[a-z0-9][a-z0-9._/:-]{0,200}(?:@sha256:[0-9a-f]{64})?$/i;
/** What set-ups left: it may hold another repository's code. */
const PREPARED = /(?:^|\/)fathom-environment(?:[:@]|$)/i;

/** Attempts share one budget, so that a repository may ask for them unless the operator set a number. */
const attemptsOf = (config: RepositoryConfig, settings: RunSettings): number | undefined =>
  config.attempts === undefined ? settings.attempts : Math.min(config.attempts, settings.attempts ?? config.attempts);

export function parseRepositoryConfig(text: string): RepositoryConfig {
  if (Buffer.byteLength(text) > maxBytes) {
    fail([problem(1, `is larger than ${maxBytes / 1024} KiB`, 'Keep only the settings that the README lists.')]);
  }
  const lines = new LineCounter();
  // A map as the key of a map would be written out as text, in time that grows with a high power of the depth.
  const document = parseDocument(text, { lineCounter: lines, schema: 'core', logLevel: 'error', stringKeys: true });
  if (document.errors.length > 0) {
    fail(
      document.errors.map((error) => {
        const line = lines.linePos(error.pos[0]).line;
        return problem(line, 'is not valid YAML', `Correct line ${line}: ${error.message.split('\n')[0]}`);
      }),
    );
  }
  const lineOf = (key: string) => {
    if (!isMap(document.contents)) return 1;
    const pair = document.contents.items.find((item) => isScalar(item.key) && item.key.value === key);
    const offset = pair && isScalar(pair.key) ? pair.key.range?.[0] : undefined;
    return offset === undefined ? 1 : lines.linePos(offset).line;
  };
  // Aliases are refused altogether: nobody needs them for ten settings, and they can be made to explode.
  const parsed = RepositoryConfig.safeParse(toPlain(document));
  if (!parsed.success)
    fail(
      parsed.error.issues
        .flatMap((issue) => problemsOf(issue, lineOf))
        .sort(byLine)
        .map(toProblem),
    );
  return parsed.data as RepositoryConfig;
}

function toPlain(document: ReturnType<typeof parseDocument>): unknown {
  try {
    return document.toJS({ maxAliasCount: 0 }) ?? {};
  } catch {
    return fail([problem(1, 'uses aliases or anchors', 'Write each value out.')]);
  }
}

function problemsOf(issue: z.core.$ZodIssue, lineOf: (key: string) => number): Found[] {
  if (issue.code !== 'unrecognized_keys') {
    const key = String(issue.path[0] ?? '');
    const name = issue.path.map(String).join('.') || 'the file';
    const line = lineOf(key);
    return [{ line, message: `${name} ${settingWords(issue)}`, remedy: `Correct line ${line}.` }];
  }
  const known = Object.keys(RepositoryConfig.shape);
  return issue.keys.map((key) => {
    const near = nearestName(key, known);
    const line = lineOf(key);
    // Several remedies are shown below one another, so each says what it is about.
    const remedy = near
      ? `Line ${line}: did you mean \`${near}\`?`
      : `Line ${line}: what may stand there is ${known.join(', ')}.`;
    return { line, message: `${JSON.stringify(key.slice(0, 60))} is no setting`, remedy };
  });
}

interface Found {
  line: number;
  message: string;
  remedy: string;
}

const byLine = (one: Found, other: Found): number => one.line - other.line;
const toProblem = ({ line, message, remedy }: Found): Problem => problem(line, message, remedy);

function fail(problems: Problem[]): never {
  throw new InputError(problems);
}

const problem = (line: number, message: string, remedy: string): Problem => ({
  source: `.github/fathom.yml:${line}`,
  message,
  remedy,
});
