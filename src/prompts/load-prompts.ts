import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Liquid, type Template } from 'liquidjs';
import { InputError, type Problem } from '../domain/errors.ts';
import { type PromptFile, parsePromptFile, unguardedUses } from './prompt-file.ts';
import { untrustedBlock } from './untrusted.ts';

/** The texts for the models, loaded once. */
export interface PromptSet {
  /**
   * Renders `prompts/<name>.md` in one pass: what a value holds is never read as a template.
   * @throws InputError when the values are not exactly those that the prompt's front matter lists.
   */
  render(name: string, values?: Record<string, unknown>): string;
  /** Hash over the templates of a role and those that all roles share, not over rendered text. */
  hash(role: string): string;
  /** The prompts there are, with the values that each needs. */
  list(): { name: string; variables: string[] }[];
}

interface LoadedPrompt extends PromptFile {
  source: string;
  template: Template[];
}

// Tool descriptions and the loop's own notices are part of every role's conversation.
const SHARED_FOLDERS = ['shared', 'tools'];

/**
 * Loads every Markdown file below `folder` and checks it: front matter lists exactly the variables that the text uses,
 * and untrusted ones are printed through the `untrusted` filter only.
 * @throws InputError with every problem of every file.
 */
export function loadPrompts(folder: string): PromptSet {
  const liquid = strictLiquid();
  const problems: Problem[] = [];
  const prompts = new Map<string, LoadedPrompt>();
  for (const name of promptNames(folder)) {
    const path = join(folder, `${name}.md`);
    try {
      prompts.set(name, loadPrompt(liquid, name, readFileSync(path, 'utf8')));
    } catch (error) {
      problems.push({ source: path, message: String(error), remedy: 'Correct the prompt file.' });
    }
  }
  if (problems.length > 0) throw new InputError(problems);
  return {
    render: (name, values = {}) => render(liquid, prompts, name, values),
    hash: (role) => hashOf([...prompts.values()].filter((prompt) => isPartOf(role, prompt.name))),
    list: () =>
      [...prompts.values()].map(({ name, variables, untrusted }) => ({
        name,
        variables: [...variables, ...untrusted],
      })),
  };
}

function strictLiquid(): Liquid {
  const liquid = new Liquid({
    strictVariables: true,
    strictFilters: true,
    ownPropertyOnly: true,
    jsTruthy: true,
    templates: {},
  });
  liquid.registerFilter('untrusted', (value: unknown, tag: unknown) => untrustedBlock(String(value), String(tag)));
  return liquid;
}

function promptNames(folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return files
    .filter((file) => file.endsWith('.md'))
    .map((file) => file.slice(0, -'.md'.length).replaceAll('\\', '/'))
    .sort();
}

function loadPrompt(liquid: Liquid, name: string, source: string): LoadedPrompt {
  const file = parsePromptFile(name, source);
  const template = liquid.parse(file.body);
  const used = liquid.globalVariablesSync(template);
  const declared = [...file.variables, ...file.untrusted];
  const unknown = used.filter((variable) => !declared.includes(variable));
  if (unknown.length > 0) throw new Error(`uses ${unknown.join(', ')}, which its front matter does not list`);
  const unused = declared.filter((variable) => !used.includes(variable));
  if (unused.length > 0) throw new Error(`lists ${unused.join(', ')}, which it does not use`);
  const unguarded = unguardedUses(file);
  if (unguarded.length > 0) throw new Error(`prints untrusted text without a block: ${unguarded.join('; ')}`);
  return { ...file, source, template };
}

function render(
  liquid: Liquid,
  prompts: Map<string, LoadedPrompt>,
  name: string,
  values: Record<string, unknown>,
): string {
  const prompt = prompts.get(name);
  if (prompt === undefined) throw renderProblem(name, 'there is no such prompt');
  const declared = [...prompt.variables, ...prompt.untrusted];
  const missing = declared.filter((variable) => values[variable] === undefined || values[variable] === null);
  if (missing.length > 0) throw renderProblem(name, `no value for ${missing.join(', ')}`);
  const unused = Object.keys(values).filter((variable) => !declared.includes(variable));
  if (unused.length > 0) throw renderProblem(name, `no use for ${unused.join(', ')}`);
  return String(liquid.renderSync(prompt.template, values)).trim();
}

function renderProblem(name: string, message: string): InputError {
  return new InputError([{ source: `prompts/${name}.md`, message, remedy: 'Give exactly the values it lists.' }]);
}

const isPartOf = (role: string, name: string): boolean =>
  [role, ...SHARED_FOLDERS].some((folder) => name.startsWith(`${folder}/`));

function hashOf(prompts: LoadedPrompt[]): string {
  const parts = prompts.map((prompt) => [prompt.name, prompt.source]);
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 16);
}
