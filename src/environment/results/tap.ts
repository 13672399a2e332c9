import type { TestCounts } from '../../domain/proof.ts';
import { distinct, type ResultReader } from './test-results.ts';

const POINT = /^( *)(not )?ok(?: (\d+))?(?= |$)(.*)$/;
const PLAN = /^ *1\.\.\d+(?: |$)/;
const DEEPEST = 40;
const MOST_NAMES = 2_000;
const LONGEST_NAME = 500;

interface Point {
  indent: number;
  failed: boolean;
  skipped: boolean;
  name: string;
}

/** What was counted below one indentation, until the point that it belongs to is met. */
interface Level {
  indent: number;
  counts: TestCounts;
  failing: string[];
}

/**
 * The Test Anything Protocol, versions 13 and 14 (testanything.org), subtests of any depth: indented before their own
 * point, or in braces after it. A point with points of its own is their sum, unless it alone failed. YAML blocks are
 * not read, so that what they quote counts for nothing.
 */
export const readTap: ResultReader = (lines) => {
  const isTap = lines.some((line) => line.startsWith('TAP version 1')) || lines.some((line) => PLAN.test(line));
  if (!isTap) return undefined;
  const tree = new PointTree();
  for (const line of withoutYaml(lines)) tree.read(line);
  const { counts, failing } = tree.total();
  if (tree.points === 0 && failing.length === 0) return undefined;
  return { framework: 'tap', counts, failing: distinct(failing) };
};

class PointTree {
  points = 0;
  #levels: Level[] = [];
  #open: Point[] = [];

  read(line: string): void {
    const point = pointOf(line);
    if (point !== undefined) {
      this.points += 1;
      if (line.endsWith(' {')) this.#open.push(point);
      else this.#add(point);
      return;
    }
    if (line.trim() === '}') this.#close(line.indexOf('}'));
    else if (line.startsWith('Bail out!')) this.#add({ indent: 0, failed: true, skipped: false, name: line });
  }

  total(): { counts: TestCounts; failing: string[] } {
    for (const point of this.#open.splice(0).reverse()) this.#add(point);
    return gathered(this.#levels.splice(0));
  }

  #close(indent: number): void {
    const at = this.#open.findLastIndex((point) => point.indent === indent);
    const point = this.#open[at];
    if (point === undefined) return;
    this.#open.splice(at);
    this.#add(point);
  }

  #add(point: Point): void {
    const inner = gathered(this.#take((level) => level.indent > point.indent));
    const { counts, failing } = inner;
    const own = this.#levels.at(-1) ?? this.#begin(point.indent);
    const level = own.indent === point.indent ? own : this.#begin(point.indent);
    const isSum = counts.passed + counts.failed + counts.skipped > 0 && (!point.failed || counts.failed > 0);
    if (!isSum) addTo(level, pointCounts(point), point.failed && !point.skipped ? [point.name] : []);
    const named = failing.map((name) => `${point.name} > ${name}`.slice(0, LONGEST_NAME));
    addTo(level, counts, named);
  }

  #begin(indent: number): Level {
    const level = { indent, counts: { passed: 0, failed: 0, skipped: 0 }, failing: [] };
    // Output that only ever goes deeper is no test's.
    if (this.#levels.length < DEEPEST) this.#levels.push(level);
    return level;
  }

  #take(chosen: (level: Level) => boolean): Level[] {
    const from = this.#levels.findIndex(chosen);
    return from === -1 ? [] : this.#levels.splice(from);
  }
}

function gathered(levels: Level[]): Omit<Level, 'indent'> {
  const sum: Omit<Level, 'indent'> = { counts: { passed: 0, failed: 0, skipped: 0 }, failing: [] };
  for (const { counts, failing } of levels) addTo(sum, counts, failing);
  return sum;
}

function addTo(level: Omit<Level, 'indent'>, counts: TestCounts, failing: string[]): void {
  level.counts.passed += counts.passed;
  level.counts.failed += counts.failed;
  level.counts.skipped += counts.skipped;
  for (const name of failing) if (level.failing.length < MOST_NAMES) level.failing.push(name);
}

function pointCounts({ failed, skipped }: Point): TestCounts {
  if (skipped) return { passed: 0, failed: 0, skipped: 1 };
  return failed ? { passed: 0, failed: 1, skipped: 0 } : { passed: 1, failed: 0, skipped: 0 };
}

function pointOf(line: string): Point | undefined {
  const match = POINT.exec(line);
  if (match === null) return undefined;
  const [, spaces = '', not, number = '', rest = ''] = match;
  const [text = '', ...directives] = rest.replace(/ \{$/, '').split(/ #|^#/);
  const name = text.trim().replace(/^- /, '').trim();
  const skipped = directives.some((directive) => /^ ?(?:todo|skip)/i.test(directive));
  return { indent: spaces.length, failed: not !== undefined, skipped, name: name === '' ? `test ${number}` : name };
}

/** A block lasts until its own end, or until a line that stands further left than it may. */
function withoutYaml(lines: string[]): string[] {
  const kept: string[] = [];
  let block: number | undefined;
  for (const line of lines) {
    const indent = line.length - line.trimStart().length;
    if (block === undefined) {
      if (line.trim() === '---' && indent > 0) block = indent;
      else kept.push(line);
    } else if (line.trim() === '...' && indent === block) {
      block = undefined;
    } else if (line !== '' && indent < block) {
      block = undefined;
      kept.push(line);
    }
  }
  return kept;
}
