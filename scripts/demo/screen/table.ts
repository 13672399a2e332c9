import type { Screen } from './screen.ts';
import { wrapped } from './screen.ts';

const GAP = '  ';
const NARROW = 8;

export interface Column {
  title: string;
  right?: boolean;
}

/** A table as lines: the widest columns give way until it fits, and their cells are wrapped. */
export function tableLines(screen: Screen, columns: Column[], rows: string[][], width = screen.width): string[] {
  const widths = fittingWidths(columns, rows, width);
  const line = (cells: string[]) => cells.map((cell, at) => padded(cell, widths[at] ?? 0, columns[at])).join(GAP);
  const head = screen.style('dim', line(columns.map((column) => column.title)).trimEnd());
  const body = rows.flatMap((row) => {
    const cells = row.map((cell, at) => wrapped(cell, Math.max(widths[at] ?? 1, 1)));
    const height = Math.max(...cells.map((cell) => cell.length), 1);
    return Array.from({ length: height }, (_, at) => line(cells.map((cell) => cell[at] ?? '')).trimEnd());
  });
  return [head, ...body];
}

function padded(cell: string, width: number, column: Column | undefined): string {
  return column?.right === true ? cell.padStart(width) : cell.padEnd(width);
}

function fittingWidths(columns: Column[], rows: string[][], width: number): number[] {
  const widths = columns.map((column, at) =>
    Math.max(column.title.length, ...rows.map((row) => (row[at] ?? '').length)),
  );
  const room = width - GAP.length * (columns.length - 1);
  const total = () => widths.reduce((sum, one) => sum + one, 0);
  while (total() > room) {
    const widest = widths.indexOf(Math.max(...widths));
    if ((widths[widest] ?? 0) <= NARROW) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  return widths;
}
