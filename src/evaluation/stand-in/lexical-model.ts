import { ModelError } from '../../domain/errors.ts';
import type { ChatModel, ChatReply, ChatRequest, Message } from '../../domain/ports/chat-model.ts';

/** How it is named everywhere, so that nobody takes its numbers for a model's. */
export const STAND_IN = 'lexical stand-in (no model)';

/**
 * No language model: a deterministic Localizer made from the lexical ranking. It looks at the first suspect of its
 * prompt and hands in the best definitions of the first two. Without suspects it searches for the longest identifiers of
 * the issue and hands in where it found one. It exists to exercise an evaluation without a provider; its numbers say how
 * far words alone get.
 */
export function lexicalModel(): ChatModel {
  return {
    complete: async (request, signal) => {
      signal.throwIfAborted();
      return replyTo(request);
    },
    price: () => 0,
    describe: () => ({ api: 'none', address: STAND_IN, recorded: false }),
  };
}

// No Localizer may hand in a longer one, and a class of 700 lines is no place.
const LONGEST_SPAN = 200;

interface Place {
  path: string;
  startLine: number;
  endLine: number;
}

function replyTo(request: ChatRequest): ChatReply {
  if (request.role !== 'localizer') {
    const remedy = 'Use it with --only localize, or configure a model.';
    throw new ModelError('refused', `the ${STAND_IN} can only localize, and is no ${request.role}`, remedy);
  }
  const prompt = textOf(request.messages.find((message) => message.role === 'user'));
  const suspects = suspectsIn(prompt);
  const call = suspects.length > 0 ? withSuspects(request, suspects) : bySearching(request, prompt);
  const input = Math.ceil(request.messages.reduce((sum, message) => sum + textOf(message).length, 0) / 4);
  return {
    text: '',
    toolCalls: [{ id: `call-${request.step}`, name: call.name, arguments: JSON.stringify(call.args) }],
    finish: 'tool-calls',
    usage: { input, cached: 0, output: 50, reasoning: 0 },
    usd: 0,
    reasoned: false,
    dropped: [],
  };
}

const textOf = (message: Message | undefined): string => message?.text ?? '';

function withSuspects(request: ChatRequest, suspects: Place[][]) {
  const first = suspects[0]?.[0];
  if (request.step === 1 && first) return { name: 'view_file', args: { ...first } };
  return submission(suspects.slice(0, 2).map((places) => places.slice(0, 3)));
}

/** Searches for one identifier after the other, at most three, until one is found. */
function bySearching(request: ChatRequest, prompt: string) {
  const words = identifiersIn(prompt);
  const found = request.messages.flatMap((message) => (message.role === 'tool' ? hitsIn(message.text) : []))[0];
  if (found) return submission([[found]]);
  const word = words[request.step - 1];
  if (word === undefined || request.step > 3) {
    return { name: 'submit_findings', args: { findings: [], abstention: 'No identifier of the issue was found.' } };
  }
  return { name: 'codebase_search', args: { query: word } };
}

function submission(groups: Place[][]) {
  const text = `Named by the ${STAND_IN}: words are alike, and nothing was understood.`;
  const fields = ['locationExplanation', 'rootCause', 'solutionIdea', 'dependencies', 'testingImpact'];
  const findings = groups.map((locations) => ({
    ...Object.fromEntries(fields.map((field) => [field, text])),
    locations,
  }));
  return { name: 'submit_findings', args: { findings } };
}

/** Lines like `- path: name (12-30), name (40-44)` in the block of suspects; a file without definitions is its top. */
function suspectsIn(prompt: string): Place[][] {
  return blockIn(prompt, 'suspects')
    .split('\n')
    .flatMap((line) => {
      if (!line.startsWith('- ')) return [];
      const at = line.indexOf(': ');
      const path = line.slice(2, at < 0 ? undefined : at);
      const spans = [...line.slice(at < 0 ? line.length : at).matchAll(/\((\d+)-(\d+)\)/g)];
      const places = spans.map((span) => ({ path, startLine: Number(span[1]), endLine: lastLine(span) }));
      return [places.length > 0 ? places : [{ path, startLine: 1, endLine: 20 }]];
    });
}

/** The tagged block of untrusted text that is called `name`; empty where there is none. */
function blockIn(prompt: string, name: string): string {
  const tag = prompt.indexOf(`<${name}-`);
  const end = prompt.indexOf(`\n</${name}-`, tag);
  return tag < 0 || end < 0 ? '' : prompt.slice(prompt.indexOf('\n', tag) + 1, end);
}

const lastLine = (span: RegExpExecArray): number => Math.min(Number(span[2]), Number(span[1]) + LONGEST_SPAN - 1);

function identifiersIn(prompt: string): string[] {
  const words = [...blockIn(prompt, 'issue').matchAll(/[A-Za-z_]\w{3,60}/g)].map((match) => match[0]);
  const names = [...new Set(words)].filter((word) => word.includes('_') || /[a-z][A-Z]/.test(word));
  return names.sort((a, b) => b.length - a.length || (a < b ? -1 : 1));
}

/** The first file that a search names, with its first window of numbered lines. */
function hitsIn(text: string): Place[] {
  const lines = text.split('\n');
  for (const [index, line] of lines.entries()) {
    const path = /^([\w./-]+\.\w+)\b/.exec(line.trim())?.[1];
    const window = path === undefined ? [] : windowAfter(lines, index + 1);
    const [startLine, endLine] = [window[0], window.at(-1)];
    if (path !== undefined && startLine !== undefined && endLine !== undefined) return [{ path, startLine, endLine }];
  }
  return [];
}

/** Line numbers that follow each other, as a search prints them before the lines. */
function windowAfter(lines: string[], from: number): number[] {
  const numbers: number[] = [];
  for (const line of lines.slice(from, from + 40)) {
    const number = Number(/^\D{0,3}(\d+)\b/.exec(line)?.[1]);
    const follows = numbers.length === 0 ? number > 0 : number === (numbers.at(-1) ?? 0) + 1;
    if (follows) numbers.push(number);
    else if (numbers.length > 0) break;
  }
  return numbers;
}
