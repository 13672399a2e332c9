import { type Html, html } from './html.ts';

export interface Scale {
  low: number;
  high: number;
  /** Where a value lies, in the SVG's units. */
  at(value: number): number;
  ticks: number[];
}

/** A linear scale over `values` with round ticks; `from` and `to` are the SVG's units of its ends. */
export function scaleOver(values: number[], from: number, to: number, { zero = true, most = 5 } = {}): Scale {
  const finite = values.filter(Number.isFinite);
  const least = Math.min(...finite, zero ? 0 : Number.POSITIVE_INFINITY);
  const greatest = Math.max(...finite, zero ? 0 : Number.NEGATIVE_INFINITY);
  const step = roundStep((greatest - least || Math.abs(greatest) || 1) / most);
  const low = Math.floor(least / step + 1e-9) * step;
  const high = Math.max(Math.ceil(greatest / step - 1e-9) * step, low + step);
  const count = Math.round((high - low) / step);
  return {
    ...{ low, high },
    at: (value) => from + ((value - low) / (high - low)) * (to - from),
    ticks: Array.from({ length: count + 1 }, (_, index) => Number((low + index * step).toPrecision(10))),
  };
}

function roundStep(step: number): number {
  const power = 10 ** Math.floor(Math.log10(step));
  const factor = [1, 2, 2.5, 5, 10].find((one) => one * power >= step * 0.999) ?? 10;
  return factor * power;
}

/** Vertical grid lines with their values below. */
export const gridBelow = (scale: Scale, top: number, bottom: number, name: (value: number) => string): Html[] =>
  scale.ticks.map(
    (
      tick,
    ) => html`<line class="grid" x1="${round(scale.at(tick))}" x2="${round(scale.at(tick))}" y1="${top}" y2="${bottom}"/>
<text class="tick" x="${round(scale.at(tick))}" y="${bottom + 16}" text-anchor="middle">${name(tick)}</text>`,
  );

/** Horizontal grid lines with their values on the left. */
export const gridBeside = (scale: Scale, left: number, right: number, name: (value: number) => string): Html[] =>
  scale.ticks.map(
    (
      tick,
    ) => html`<line class="grid" x1="${left}" x2="${right}" y1="${round(scale.at(tick))}" y2="${round(scale.at(tick))}"/>
<text class="tick" x="${left - 8}" y="${round(scale.at(tick) + 4)}" text-anchor="end">${name(tick)}</text>`,
  );

export const round = (value: number): number => Math.round(value * 10) / 10;
