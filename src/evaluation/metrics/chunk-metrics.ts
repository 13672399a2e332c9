import type { Location } from '../../domain/finding.ts';

/** Chunk metrics of one instance under strict containment (SHERLOC, Appendix B), from 0 to 1. */
export interface ChunkMetrics {
  /** The share of gold chunks that lie wholly in one predicted span. */
  coverageRecall: number;
  /** The share of predicted spans that hold a whole gold chunk; 0 without predictions. */
  precision: number;
  /**
   * Gold chunk size over the size of the tightest span that holds it, averaged over covered chunks; undefined where no
   * chunk is covered, so that a miss counts once (in the recall) and not twice.
   */
  tightness?: number;
}

/** Undefined where the fix touches no line of the base commit: then there is nothing to cover. */
export function chunkMetrics(predicted: Location[], gold: Location[]): ChunkMetrics | undefined {
  if (gold.length === 0) return undefined;
  const spans = distinct(predicted);
  const covered = gold.flatMap((chunk) => {
    const holding = spans.filter((span) => holds(span, chunk));
    return holding.length === 0 ? [] : [size(chunk) / Math.min(...holding.map(size))];
  });
  const useful = spans.filter((span) => gold.some((chunk) => holds(span, chunk))).length;
  return {
    coverageRecall: covered.length / gold.length,
    precision: spans.length === 0 ? 0 : useful / spans.length,
    ...(covered.length === 0 ? {} : { tightness: covered.reduce((sum, one) => sum + one, 0) / covered.length }),
  };
}

function distinct(spans: Location[]): Location[] {
  const keyed = spans.map((span) => [`${span.path}\0${span.startLine}\0${span.endLine}`, span] as const);
  return [...new Map(keyed).values()];
}

const holds = (span: Location, chunk: Location): boolean =>
  span.path === chunk.path && span.startLine <= chunk.startLine && chunk.endLine <= span.endLine;

const size = ({ startLine, endLine }: Location): number => endLine - startLine + 1;
