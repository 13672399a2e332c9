import type { Problem } from './errors.ts';
import { nearestName } from './nearest-name.ts';
import type { Recoveries, RunSettings } from './settings.ts';

/** A part of the acquisition that can be left out, to see what it is worth. */
export interface Ablation {
  name: string;
  /** What a run does without, in words. */
  without: string;
  /** The same settings without that part, and otherwise as they were. */
  apply(settings: RunSettings): RunSettings;
}

const part = (name: string, without: string, change: Partial<RunSettings>): Ablation => ({
  name,
  without,
  apply: (settings) => ({ ...settings, ...change }),
});

const tool = (name: RunSettings['localizerTools'][number]): Ablation => ({
  name: `no-${name.replaceAll('_', '-')}`,
  without: `the Localizer's ${name}`,
  apply: (settings) => ({ ...settings, localizerTools: settings.localizerTools.filter((one) => one !== name) }),
});

const recovery = (name: string, key: keyof Recoveries, without: string): Ablation => ({
  name,
  without,
  apply: (settings) => ({ ...settings, recoveries: { ...settings.recoveries, [key]: false } }),
});

/** The papers' ablations (ACQUIRE §V-C, SHERLOC §4.2), and what is ours. */
export const ABLATIONS: Ablation[] = [
  part('no-questions', 'questions', { questions: 0 }),
  part('no-findings', 'findings', { findings: false }),
  part('free', 'the four categories', { asking: 'free' }),
  part('proposal', 'questions (one proposal in their place)', { asking: 'proposal' }),
  part('no-hint', 'the lexical hint', { hint: false }),
  tool('view_file'),
  tool('codebase_search'),
  tool('repo_tree'),
  tool('connected_tree'),
  part('no-shell', "the Answerers' shell", { answererTools: [] }),
  recovery('no-context-management', 'contextManagement', 'shortening long conversations'),
  recovery('no-loop-detection', 'loopDetection', 'warnings about circles'),
  recovery('no-implicit-tool-calls', 'implicitToolCalls', 'understanding calls in text'),
  recovery('no-response-length', 'responseLength', 'asking for shorter replies'),
  recovery('no-final-turn', 'finalTurn', 'the final turn'),
];

/**
 * Reads `no-hint,no-shell`, in either spelling of compound names (`no-view_file`). `problems` names every word that is no
 * ablation, with the one that was probably meant.
 */
export function readAblations(text: string, source: string): { ablations: Ablation[]; problems: Problem[] } {
  const words = text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
  const names = ABLATIONS.map(({ name }) => name);
  const found = words.map((word) => ABLATIONS.find(({ name }) => name === word.toLowerCase().replaceAll('_', '-')));
  const unknown = words.filter((_, at) => found[at] === undefined);
  const problems = unknown.map((word) => {
    const near = nearestName(word.replaceAll('_', '-'), names);
    const remedy = near ? `Did you mean ${near}?` : `Choose of ${names.join(', ')}.`;
    return { source, message: `${word.slice(0, 60)} is nothing that can be left out`, remedy };
  });
  if (words.length === 0) {
    problems.push({ source, message: 'names nothing', remedy: `Choose of ${names.join(', ')}.` });
  }
  return { ablations: found.filter((one) => one !== undefined), problems };
}

/** The settings without these parts. */
export const ablated = (settings: RunSettings, ablations: Ablation[]): RunSettings =>
  ablations.reduce((left, ablation) => ablation.apply(left), settings);

/** What these settings do without, in words, whoever switched it off. */
export function partsLeftOut(settings: RunSettings): string[] {
  const same = JSON.stringify(settings);
  return ABLATIONS.filter(({ apply }) => JSON.stringify(apply(settings)) === same).map(({ without }) => without);
}
