import { duration, money } from '../../report/amounts.ts';
import type { Estimate } from '../statistics/bootstrap.ts';
import type { Metric } from '../summary/metrics-catalogue.ts';

export type Unit = Metric['unit'];

/** A value as people read it. */
export function shown(value: number, unit: Unit): string {
  switch (unit) {
    case 'share':
      return `${(value * 100).toFixed(1)} %`;
    case 'usd':
      return money(value);
    case 'seconds':
      return duration(value);
    case 'tokens':
      return short(value);
    case 'number':
      return String(Math.round(value * 100) / 100);
  }
}

/** "84.3 % (76.0 to 90.1; n = 12)": no figure stands without its interval. */
export function withInterval(estimate: Estimate | undefined, unit: Unit): string {
  if (!estimate) return '–';
  const { value, low, high, n } = estimate;
  const bounds =
    unit === 'share'
      ? [low, high].map((bound) => (bound * 100).toFixed(1))
      : [low, high].map((bound) => shown(bound, unit));
  return `${shown(value, unit)} (${bounds.join(' to ')}; n = ${n})`;
}

/** A difference with its sign, in points where it is one of shares. */
export function difference(estimate: Estimate | undefined, unit: Unit): string {
  if (!estimate) return '–';
  const size = (value: number) => (unit === 'share' ? (value * 100).toFixed(1) : shown(value, unit));
  const signed = (value: number) => `${value < 0 ? '−' : '+'}${size(Math.abs(value))}`;
  const name = unit === 'share' ? ' pp' : '';
  return `${signed(estimate.value)}${name} (${signed(estimate.low)} to ${signed(estimate.high)})`;
}

export const probability = (p: number): string => (p < 0.001 ? 'under 0.001' : p.toFixed(3));

function short(value: number): string {
  const size = Math.abs(value);
  if (size >= 999_500) return `${(value / 1e6).toFixed(1)}M`;
  if (size >= 1e4) return `${Math.round(value / 1000)}k`;
  return size >= 1000 ? `${(value / 1000).toFixed(1)}k` : String(Math.round(value));
}
