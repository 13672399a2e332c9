import { foreignReference } from './deixis.ts';
import { codeWordsOf, proseOf, tellingWords, wordsOf } from './question-words.ts';

// Two questions that share this part of their telling words ask for the same knowledge.
const DUPLICATE_SHARE = 0.6;

/**
 * Index of a question among `others` that has nearly the same words (Jaccard index of their telling words). Questions
 * about different code, each naming its own in backticks, are none.
 */
export function nearDuplicateOf(text: string, others: string[]): number | undefined {
  const words = tellingWords(text);
  const index = others.findIndex(
    (other) => !isAboutOtherCode(text, other) && overlap(words, tellingWords(other)) >= DUPLICATE_SHARE,
  );
  return index < 0 ? undefined : index;
}

function isAboutOtherCode(text: string, other: string): boolean {
  const [own, its] = [codeWordsOf(text), codeWordsOf(other)];
  return own.size > 0 && its.size > 0 && ![...own].some((word) => its.has(word));
}

function overlap(a: Set<string>, b: Set<string>): number {
  const shared = [...a].filter((word) => b.has(word)).length;
  const all = a.size + b.size - shared;
  return all === 0 ? 1 : shared / all;
}

const POINTERS = ['the', 'this', 'that', 'these', 'those', 'given', 'reported', 'described', 'mentioned'];
const REPORT_WORDS = ['issue', 'bug', 'report', 'reporter', 'ticket', 'problem', 'regression'];
const PRONOUNS = ['it', 'this', 'that', 'they', 'these', 'those'];
const VERBS_BEFORE_A_SUBJECT = [
  'does',
  'do',
  'did',
  'is',
  'are',
  'was',
  'were',
  'can',
  'should',
  'will',
  'has',
  'have',
];
const BACK_REFERENCES = [
  'described above',
  'mentioned above',
  'shown above',
  'as above',
  'the above',
  'the snippet',
  'the example above',
];

/**
 * Words that only make sense beside the issue: "the issue", "this bug", or a pronoun as the first subject ("Why does it
 * …"); the same in languages that issues are written in. Undefined where the question stands by itself (ACQUIRE
 * §III-B1). Compound names such as "the issue tracker" pass.
 */
export function unresolvedReference(text: string): string | undefined {
  const words = wordsOf(proseOf(text));
  const lowered = words.join(' ');
  const back = BACK_REFERENCES.find((phrase) => ` ${lowered} `.includes(` ${phrase} `));
  return back ?? reportReference(words) ?? firstSubjectPronoun(words) ?? foreignReference(text);
}

const AFTER_A_NOUN = new Set(
  'a an and are as at be because but by can could did do does for from happen happens has have if in into is occur occurs of on or should so that the to was were when where which why while will with'.split(
    ' ',
  ),
);

/** Whether nothing that a name could go on with follows: "the bug in", but not "the bug tracker". */
const endsAName = (after: string | undefined): boolean =>
  after === undefined || AFTER_A_NOUN.has(after) || after.endsWith('ed');

function reportReference(words: string[]): string | undefined {
  for (const [at, word] of words.entries()) {
    if (!REPORT_WORDS.includes(word) || !POINTERS.includes(words[at - 1] ?? '')) continue;
    const rest = words.slice(at + 1);
    const after = rest.find((next) => !REPORT_WORDS.includes(next));
    if (endsAName(after)) return `${words[at - 1]} ${word}`;
  }
  return undefined;
}

function firstSubjectPronoun(words: string[]): string | undefined {
  const verb = words.slice(0, 4).findIndex((word) => VERBS_BEFORE_A_SUBJECT.includes(word));
  if (verb < 0) return undefined;
  const subject = words[verb + 1] ?? '';
  const next = words[verb + 2];
  const standsAlone = subject === 'it' || subject === 'they' || endsAName(next);
  return PRONOUNS.includes(subject) && standsAlone ? `${words[verb]} ${subject}` : undefined;
}
