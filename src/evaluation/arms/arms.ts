import { ABLATIONS, ablated } from '../../domain/ablations.ts';
import { InputError } from '../../domain/errors.ts';
import { nearestName } from '../../domain/nearest-name.ts';
import type { RepairRole, RunSettings } from '../../domain/settings.ts';
import type { Arm, Scope } from './arm.ts';

type Override = Partial<Pick<RunSettings, 'questions' | 'asking' | 'findings' | 'hint' | 'verifier' | 'findingsGate'>>;
type Known = Omit<Arm, 'settings' | 'masked'> & { override: Override; masked?: boolean; ablation?: string };

const NOTHING: Override = { questions: 0, findings: false, verifier: 'off' };
const FINDINGS: Override = { questions: 0, findings: true, hint: true, verifier: 'off' };
const asking = (questions: number, asking: RunSettings['asking'] = 'categories'): Override => ({
  ...NOTHING,
  questions,
  asking,
});

const BOTH: Override = { ...FINDINGS, questions: 2, asking: 'categories' };

// SHERLOC's threshold for findings that are shown (§4.7).
const GATE = 4;

const KNOWN: Known[] = [
  {
    name: 'none',
    kind: 'baseline',
    about: 'Repair without knowledge: the mini-swe-agent baseline.',
    override: NOTHING,
  },
  { name: 'questions', kind: 'treatment', about: 'Two questions and their answers (ACQUIRE).', override: asking(2) },
  { name: 'findings', kind: 'treatment', about: 'Findings with the lexical hint (SHERLOC).', override: FINDINGS },
  {
    name: 'both',
    kind: 'treatment',
    about: 'Two questions and findings.',
    override: BOTH,
  },
  { name: 'free', kind: 'treatment', about: 'Two questions without categories.', override: asking(2, 'free') },
  { name: 'proposal', kind: 'treatment', about: 'One proposal instead of questions.', override: asking(1, 'proposal') },
  {
    name: 'no-hint',
    kind: 'treatment',
    about: 'Findings without the lexical hint.',
    override: { ...FINDINGS, hint: false },
  },
  {
    name: 'gate',
    kind: 'treatment',
    about: `Findings, given to the Resolver from a light Verifier's ${GATE} of 5 on.`,
    override: { ...FINDINGS, verifier: 'light', findingsGate: GATE },
  },
  {
    name: 'verifier-full',
    kind: 'treatment',
    about: `Findings, given from ${GATE} of 5 on by a Verifier with five auxiliary traces.`,
    override: { ...FINDINGS, verifier: 'full', findingsGate: GATE },
  },
  {
    name: 'masked',
    kind: 'control',
    about: 'Findings from an issue without paths and names of the repository.',
    override: FINDINGS,
    masked: true,
  },
  {
    name: 'masked-none',
    kind: 'control',
    about: 'Repair without knowledge from an issue without paths.',
    override: NOTHING,
    masked: true,
  },
  {
    name: 'shuffled',
    kind: 'control',
    about: 'Repair with the findings of another instance.',
    override: NOTHING,
    given: 'shuffled',
  },
  {
    name: 'oracle',
    kind: 'control',
    about: 'Repair with findings made from the merged fix: an upper bound.',
    override: NOTHING,
    given: 'oracle',
  },
  ...[0, 1, 2, 3, 4, 5].map(
    (n): Known => ({ name: `n${n}`, kind: 'treatment', about: `${n} questions (ACQUIRE RQ4).`, override: asking(n) }),
  ),
  ...['no-view-file', 'no-codebase-search', 'no-repo-tree', 'no-connected-tree'].map((name) =>
    without(name, 'Findings', FINDINGS),
  ),
  without('no-shell', 'Two questions', asking(2)),
  ...[
    'no-context-management',
    'no-loop-detection',
    'no-implicit-tool-calls',
    'no-response-length',
    'no-final-turn',
  ].map((name) => without(name, 'Two questions and findings', BOTH)),
];

/** An arm that is another one without one part (SHERLOC §4.2). */
function without(name: string, what: string, override: Override): Known {
  const part = ABLATIONS.find((one) => one.name === name)?.without;
  return { name, kind: 'treatment', about: `${what}, without ${part}.`, override, ablation: name };
}

const ROLES: RepairRole[] = ['questioner', 'answerer', 'localizer', 'verifier', 'resolver'];

export const armNames = (): string[] => KNOWN.map(({ name }) => name);

/**
 * Reads `none,both,both@resolver=MODEL+answerer=MODEL`. The baseline of all comparisons is `none`, else the first.
 * @throws InputError for an unknown arm or role, an arm that comes twice, or one that does nothing in this scope
 */
export function parseArms(text: string, scope: Scope): Arm[] {
  const asked = text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  const problems = asked.flatMap((name, index) => problemOf(name, scope, asked.indexOf(name) < index));
  if (asked.length === 0) problems.push({ message: 'names no arm', remedy: `Choose of ${armNames().join(', ')}.` });
  if (problems.length > 0) throw new InputError(problems.map((one) => ({ source: '--arms', ...one })));
  return asked.map((name) => armOf(name, scope));
}

function problemOf(name: string, scope: Scope, repeated: boolean): { message: string; remedy: string }[] {
  const [arm = '', models] = splitOnce(name, '@');
  const known = KNOWN.find((one) => one.name === arm);
  if (!known) return [{ message: `${arm} is no arm`, remedy: remedyFor(arm) }];
  if (repeated) return [{ message: `${name} comes twice`, remedy: 'Name each arm once.' }];
  if (scope === 'localize' && (!known.override.findings || known.given)) {
    const remedy = 'With --only localize choose findings, masked, or findings without a part, such as no-hint.';
    return [{ message: `${arm} has no Localizer`, remedy }];
  }
  if (scope !== 'resolve' && known.given) {
    return [{ message: `${arm} is about the repair`, remedy: 'Use it with --only resolve.' }];
  }
  const wrong = modelsIn(models).filter(([role, model]) => !ROLES.includes(role as RepairRole) || !model);
  return wrong.map(([role]) => ({
    message: `${name}: ${role} is no role with a model`,
    remedy: `Write it as ${arm}@resolver=MODEL; roles are ${ROLES.join(', ')}.`,
  }));
}

function remedyFor(arm: string): string {
  const near = nearestName(arm, armNames());
  return near ? `Did you mean ${near}?` : `Choose of ${armNames().join(', ')}.`;
}

function armOf(name: string, scope: Scope): Arm {
  const [base = '', models] = splitOnce(name, '@');
  const { override, masked = false, ablation, ...known } = KNOWN.find((one) => one.name === base) as Known;
  const chosen = Object.fromEntries(modelsIn(models));
  const about = models === undefined ? known.about : `${known.about} Models: ${models}.`;
  const narrowed: Override = scope === 'localize' ? { ...override, questions: 0 } : override;
  const left = ABLATIONS.filter((one) => one.name === ablation);
  return {
    ...known,
    name,
    about,
    masked,
    settings: (settings) => {
      const asked = { ...settings, ...narrowed, roles: withModels(settings.roles, chosen) };
      return ablated(asked, left);
    },
  };
}

function withModels(roles: RunSettings['roles'], models: Record<string, string>): RunSettings['roles'] {
  const changed = ROLES.map((role) => [role, { ...roles[role], model: models[role] ?? roles[role].model }]);
  return Object.fromEntries(changed) as RunSettings['roles'];
}

const modelsIn = (text: string | undefined): [string, string][] =>
  text === undefined
    ? []
    : text.split('+').map((part) => {
        const [role = '', model = ''] = splitOnce(part, '=');
        return [role, model];
      });

function splitOnce(text: string, mark: string): [string, string | undefined] {
  const at = text.indexOf(mark);
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}
