import { jsonSpansIn, parseJson } from '../json-in-text.ts';
import { between, fencedBlocks } from '../tagged-text.ts';
import { meantTool } from './tool-name.ts';

export interface ImplicitCall {
  name: string;
  args: unknown;
  /** The characters that it was read from. */
  raw: string;
}

/** `fits` says whether a tool of this name exists and takes these arguments. */
export type FitsTool = (name: string, args: unknown) => boolean;

const NAME_KEYS = ['name', 'tool', 'tool_name', 'function', 'action'];
const ARGUMENT_KEYS = ['arguments', 'parameters', 'args', 'input', 'action_input'];
const MAX_PIECES = 100;
const SHELL_FENCES = ['bash', 'sh', 'shell', 'console'];

/**
 * A tool request that a model wrote into its text in one of the forms that models were trained on (SHERLOC §3.4), when
 * exactly one fits a tool. Two different ones are ambiguous: then nobody knows what was meant.
 */
export function implicitToolCall(text: string, tools: string[], fits: FitsTool): ImplicitCall | undefined {
  const candidates = [
    ...jsonSpansIn(text).flatMap(({ value, source }) => callInJson(value, source)),
    ...tools.flatMap((tool) => callsByName(text, tool)),
    ...shellBlock(text, tools),
  ];
  const named = candidates.map((call) => ({ ...call, name: meantTool(call.name, tools) ?? call.name }));
  const fitting = named.filter((call) => fits(call.name, call.args));
  const different = new Map(fitting.map((call) => [JSON.stringify([call.name, call.args]), call]));
  return different.size === 1 ? [...different.values()][0] : undefined;
}

function callInJson(value: unknown, raw: string): ImplicitCall[] {
  if (Array.isArray(value)) return value.length === 1 ? callInJson(value[0], raw) : [];
  if (typeof value !== 'object' || value === null) return [];
  const fields = value as Record<string, unknown>;
  const named = NAME_KEYS.map((key) => fields[key]).find((field) => typeof field === 'string' || isObject(field));
  if (isObject(named)) return callInJson(named, raw);
  const args = ARGUMENT_KEYS.map((key) => fields[key]).find((field) => field !== undefined);
  if (typeof named !== 'string') return [];
  return [{ name: named, args: typeof args === 'string' ? (parseJson(args) ?? args) : (args ?? {}), raw }];
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** `tool({...})`, `<tool>{...}</tool>`, `<tool><field>…</field></tool>`, `<function=tool><parameter=field>…`. */
function callsByName(text: string, tool: string): ImplicitCall[] {
  const bodies = [
    ...between(text, `${tool}({`, '})').map((body) => `{${body}}`),
    ...between(text, `<${tool}>`, `</${tool}>`),
    ...between(text, `<function=${tool}>`, '</function>'),
  ];
  return bodies.map((body) => ({ name: tool, args: parseJson(body.trim()) ?? fieldsIn(body), raw: body }));
}

function fieldsIn(body: string): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const part of body.split('<', MAX_PIECES).filter((piece) => !piece.startsWith('/'))) {
    const close = part.indexOf('>');
    const tag = part.slice(0, Math.max(close, 0));
    const name = tag.startsWith('parameter=') ? tag.slice('parameter='.length) : tag;
    if (!isWord(name)) continue;
    const end = tag === name ? `</${name}>` : '</parameter>';
    fields[name] = (between(body, `<${tag}>`, end)[0] ?? '').trim();
  }
  return fields;
}

const isWord = (name: string): boolean => name.length > 0 && [...name].every((letter) => /[\w-]/.test(letter));

/** One fenced shell block and nothing else that could be meant. */
function shellBlock(text: string, tools: string[]): ImplicitCall[] {
  const blocks = fencedBlocks(text).filter((block) => SHELL_FENCES.includes(block.language));
  if (!tools.includes('shell') || blocks.length !== 1) return [];
  const command = blocks[0]?.code ?? '';
  return [{ name: 'shell', args: { command }, raw: `\`\`\`${blocks[0]?.language}\n${command}\n\`\`\`` }];
}
