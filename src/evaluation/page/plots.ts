import type { Estimate } from '../statistics/bootstrap.ts';
import { svg } from './figure.ts';
import { type Html, html } from './html.ts';
import { gridBelow, gridBeside, round, scaleOver } from './scale.ts';
import { shown, type Unit } from './values.ts';

const WIDTH = 560;
const LABELS = 150;
const ROW = 34;
/** Units that one character of a legend takes at most. */
const CHARACTER = 6.6;

/** One row an arm: its value as a dot on its interval. */
export function dotPlot(rows: { label: string; estimate: Estimate }[], unit: Unit, about: string): Html {
  const bottom = 12 + rows.length * ROW;
  const x = scaleOver(
    rows.flatMap(({ estimate }) => [estimate.low, estimate.high]),
    LABELS,
    WIDTH - 70,
  );
  const marks = rows.map(({ label, estimate }, index) => {
    const y = 12 + index * ROW + ROW / 2;
    const [low, at, high] = [estimate.low, estimate.value, estimate.high].map((value) => round(x.at(value))) as [
      number,
      number,
      number,
    ];
    return html`<text class="name" x="${LABELS - 14}" y="${y + 4}" text-anchor="end">${cut(label, 20)}</text>
<line class="interval" x1="${low}" x2="${high}" y1="${y}" y2="${y}"/><line class="interval" x1="${low}" x2="${low}" y1="${y - 5}" y2="${y + 5}"/><line class="interval" x1="${high}" x2="${high}" y1="${y - 5}" y2="${y + 5}"/>
<circle class="dot" cx="${at}" cy="${y}" r="5.5"><title>${label}: ${shown(estimate.value, unit)}</title></circle>
<text class="value" x="${high + 9}" y="${y + 4}">${shown(estimate.value, unit)}</text>`;
  });
  return svg(WIDTH, bottom + 24, about, [...gridBelow(x, 8, bottom, (tick) => axisName(tick, unit)), ...marks]);
}

/** Cost to the right, success upwards, both with their intervals. */
export function scatterPlot(
  points: { label: string; x: Estimate; y: Estimate }[],
  [xUnit, yUnit]: [Unit, Unit],
  [xName, yName]: [string, string],
  about: string,
): Html {
  const [height, left, bottom] = [330, 70, 280];
  const x = scaleOver(
    points.flatMap((point) => [point.x.low, point.x.high]),
    left,
    WIDTH - 110,
  );
  const y = scaleOver(
    points.flatMap((point) => [point.y.low, point.y.high]),
    bottom,
    20,
  );
  const marks = points.map(({ label, ...point }) => {
    const [cx, cy] = [round(x.at(point.x.value)), round(y.at(point.y.value))];
    return html`<line class="interval" x1="${round(x.at(point.x.low))}" x2="${round(x.at(point.x.high))}" y1="${cy}" y2="${cy}"/>
<line class="interval" x1="${cx}" x2="${cx}" y1="${round(y.at(point.y.low))}" y2="${round(y.at(point.y.high))}"/>
<circle class="dot" cx="${cx}" cy="${cy}" r="5.5"/>`;
  });
  const names = apart(points.map(({ label, ...point }) => ({ label, x: x.at(point.x.value), y: y.at(point.y.value) })));
  return svg(WIDTH, height, about, [
    ...gridBelow(x, 12, bottom, (tick) => axisName(tick, xUnit)),
    ...gridBeside(y, left, WIDTH - 110, (tick) => axisName(tick, yUnit)),
    ...marks,
    ...names.map(
      (name) =>
        html`<text class="name halo" x="${round(name.x + 11)}" y="${round(name.y - 8)}">${cut(name.label, 20)}</text>`,
    ),
    html`<text class="axis" x="${(left + WIDTH - 110) / 2}" y="${height - 6}" text-anchor="middle">${xName}</text>`,
    html`<text class="axis" transform="translate(14 ${(bottom + 20) / 2}) rotate(-90)" text-anchor="middle">${yName}</text>`,
  ]);
}

/** One bar an arm, made of parts that all bars share. */
export function stackedBars(
  rows: { label: string; parts: number[] }[],
  names: string[],
  unit: Unit,
  about: string,
): Html {
  const places = legendPlaces(names);
  const top = 32 + Math.max(...places.map((place) => place.y));
  const bottom = top + rows.length * ROW;
  const sums = rows.map(({ parts }) => parts.reduce((sum, part) => sum + part, 0));
  const x = scaleOver(sums, LABELS, WIDTH - 70);
  const bars = rows.map(({ label, parts }, row) => {
    const y = top + row * ROW + 7;
    let start = 0;
    const pieces = parts.map((part, index) => {
      const from = x.at(start);
      start += part;
      const title = `${label}, ${names[index]}: ${shown(part, unit)}`;
      return html`<rect class="part part-${index % 8}" x="${round(from)}" y="${y}" width="${round(Math.max(0, x.at(start) - from))}" height="${ROW - 14}"><title>${title}</title></rect>`;
    });
    return html`<text class="name" x="${LABELS - 14}" y="${y + 14}" text-anchor="end">${cut(label, 20)}</text>${pieces}<text class="value" x="${round(x.at(start) + 8)}" y="${y + 14}">${shown(sums[row] ?? 0, unit)}</text>`;
  });
  const legend = names.map((name, index) => {
    const { x: at, y } = places[index] as { x: number; y: number };
    return html`<rect class="part part-${index % 8}" x="${round(at)}" y="${y}" width="11" height="11"/><text class="tick" x="${round(at + 16)}" y="${y + 10}">${name}</text>`;
  });
  const grid = gridBelow(x, top, bottom, (tick) => axisName(tick, unit));
  return svg(WIDTH, bottom + 24, about, [...legend, ...grid, ...bars]);
}

/** A line over whole numbers, each point with its interval. */
export function linePlot(points: { x: number; estimate: Estimate }[], unit: Unit, xName: string, about: string): Html {
  const [height, left, bottom] = [250, 70, 200];
  const x = (value: number) =>
    left + 30 + (value * (WIDTH - left - 90)) / Math.max(1, ...points.map((point) => point.x));
  const y = scaleOver(
    points.flatMap(({ estimate }) => [estimate.low, estimate.high]),
    bottom,
    16,
  );
  const path = points.map((point) => `${round(x(point.x))},${round(y.at(point.estimate.value))}`).join(' ');
  const marks = points.map(({ x: at, estimate }) => {
    const cx = round(x(at));
    return html`<line class="interval" x1="${cx}" x2="${cx}" y1="${round(y.at(estimate.low))}" y2="${round(y.at(estimate.high))}"/>
<circle class="dot" cx="${cx}" cy="${round(y.at(estimate.value))}" r="5"/><text class="tick" x="${cx}" y="${bottom + 18}" text-anchor="middle">${at}</text>`;
  });
  return svg(WIDTH, height, about, [
    ...gridBeside(y, left, WIDTH - 40, (tick) => axisName(tick, unit)),
    html`<polyline class="line" points="${path}"/>`,
    ...marks,
    html`<text class="axis" x="${(left + WIDTH) / 2}" y="${height - 6}" text-anchor="middle">${xName}</text>`,
  ]);
}

/** From left to right, and on in the next line. */
function legendPlaces(names: string[]): { x: number; y: number }[] {
  let [x, y] = [10, 6];
  return names.map((name) => {
    const width = 34 + name.length * CHARACTER;
    if (x + width > WIDTH && x > 10) [x, y] = [10, y + 19];
    const place = { x, y };
    x += width;
    return place;
  });
}

const axisName = (tick: number, unit: Unit): string =>
  unit === 'share'
    ? `${Math.round(tick * 1000) / 10} %`
    : unit === 'usd'
      ? `$${Number(tick.toPrecision(3))}`
      : shown(tick, unit);

const cut = (text: string, most: number): string => (text.length <= most ? text : `${text.slice(0, most - 1)}…`);

/** Names of points that lie together are moved apart, downwards. */
function apart(names: { label: string; x: number; y: number }[]): { label: string; x: number; y: number }[] {
  const placed: { label: string; x: number; y: number }[] = [];
  for (const name of [...names].sort((a, b) => a.y - b.y)) {
    let { y } = name;
    while (placed.some((other) => Math.abs(other.x - name.x) < 120 && Math.abs(other.y - y) < 15)) y += 15;
    placed.push({ ...name, y });
  }
  return placed;
}
