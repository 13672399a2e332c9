import { Question, QuestionCategory } from '../domain/question.ts';
import { jsonValuesIn } from './json-in-text.ts';
import { nearDuplicateOf, unresolvedReference } from './question-quality.ts';

/** The questions that can be put to an Answerer, at most `count`; and everything that should be better. */
export interface ReadQuestions {
  usable: Question[];
  problems: string[];
}

interface Draft {
  number: number;
  category: QuestionCategory | undefined;
  text: string;
}

const MAX_LENGTH = 800;
/** Room for an empty list in a code fence. */
const BARE = 40;

/** Each question is compared with all before it: of thousands, hardly any is looked at. */
const MOST_READ = 30;

/** Reads a Questioner's reply: a JSON array of `{category, question}`, or an object that holds it. */
export function readQuestions(text: string, count: number, categorized: boolean): ReadQuestions {
  const drafts = draftsIn(text);
  if (drafts === undefined) return { usable: [], problems: ['There is no JSON array of questions in the reply.'] };
  if (drafts.length === 0) return { usable: [], problems: [] };
  const problems: string[] = [];
  if (drafts.length !== count) problems.push(`There are ${drafts.length} questions instead of ${count}.`);
  const usable: Draft[] = [];
  for (const draft of drafts.slice(0, MOST_READ)) {
    const fatal = fatalProblem(draft, usable, categorized);
    const minor = fatal ? undefined : unresolvedReference(draft.text);
    if (fatal) problems.push(`Question ${draft.number}: ${fatal}`);
    else usable.push(draft);
    if (minor) problems.push(`Question ${draft.number} is not self-contained: it says "${minor}". Name what is meant.`);
  }
  return { usable: usable.slice(0, count).map(toQuestion), problems };
}

function draftsIn(text: string): Draft[] | undefined {
  const values = jsonValuesIn(text).reverse();
  // Nothing but an empty array: there is nothing to ask. Beside other text it may be an example.
  if (text.trim().length <= BARE && values.some(isEmptyList)) return [];
  for (const value of values) {
    const drafts = (Array.isArray(value) ? value : (listIn(value) ?? [])).map(toDraft);
    if (drafts.some((draft) => draft.text !== '')) return drafts;
  }
  return undefined;
}

const isEmptyList = (value: unknown): boolean => {
  const list = Array.isArray(value) ? value : listIn(value);
  return list !== undefined && list.length === 0;
};

function listIn(value: unknown): unknown[] | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const fields = value as Record<string, unknown>;
  if (Array.isArray(fields['questions'])) return fields['questions'];
  return 'question' in fields ? [value] : undefined;
}

function toDraft(entry: unknown, index: number): Draft {
  const fields = (typeof entry === 'object' && entry !== null ? entry : { question: entry }) as Record<string, unknown>;
  const text = fields['question'] ?? fields['text'];
  return {
    number: index + 1,
    category: categoryNamed(String(fields['category'] ?? '')),
    text: typeof text === 'string' ? text.trim() : '',
  };
}

const letters = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll('and', '')
    .replaceAll(/[^a-z]/g, '');

const categoryNamed = (name: string): QuestionCategory | undefined =>
  QuestionCategory.options.find((category) => letters(category) === letters(name));

function fatalProblem(draft: Draft, before: Draft[], categorized: boolean): string | undefined {
  if (draft.text === '') return 'it has no text in "question".';
  if (draft.text.length > MAX_LENGTH) return `it is longer than ${MAX_LENGTH} characters.`;
  if (categorized && draft.category === undefined)
    return `its category is none of ${QuestionCategory.options.map((category) => `"${category}"`).join(', ')}.`;
  const twin = nearDuplicateOf(
    draft.text,
    before.map((one) => one.text),
  );
  if (twin !== undefined) return `it asks nearly the same as question ${before[twin]?.number}.`;
  return undefined;
}

// A question that was asked without categories is filed under the most frequent one (ACQUIRE §II: 70.7 %).
const toQuestion = (draft: Draft, index: number): Question =>
  Question.parse({ id: `Q${index + 1}`, category: draft.category ?? 'Mechanism & Behavior', text: draft.text });
