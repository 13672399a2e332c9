import { METRICS, type Measured } from './metrics-catalogue.ts';

/** One line a run, with every metric; an empty cell means that there is no such value. */
export function toCsv(measured: Measured[]): string {
  const heads = ['instance', 'repository', 'arm', 'end', ...METRICS.map((metric) => metric.key)];
  const rows = measured.map((one) => {
    const { instance, repo, arm, end } = one.outcome;
    const values = METRICS.map((metric) => metric.value(one)).map((value) =>
      value === undefined ? '' : rounded(value),
    );
    return [instance, repo, arm, end.kind, ...values];
  });
  return `${[heads, ...rows].map((row) => row.map(cell).join(',')).join('\n')}\n`;
}

const rounded = (value: number): string => String(Math.round(value * 1e6) / 1e6);

/** Quoted where it must be; what a spreadsheet would take for a formula is made text. */
function cell(text: string): string {
  const plain = /^[=+@\t\r]|^-(?!\d)/.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}
