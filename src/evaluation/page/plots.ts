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
    return html`<text class="name" x="${LABELS - 14}" y="${y + 4}" text-anchor="end">${cut(label, 16)}</text>
<line class="interval" x1="${low}" x2="${high}" y1="${y}" y2="${y}"/><line class="interval" x1="${low}" x2="${low}" y1="${y - 5}" y2="${y + 5}"/><line class="interval" x1="${high}" x2="${high}" y1="${y - 5}" y2="${y + 5}"/>
<circle class="dot" cx="${at}" cy="${y}" r="5.5"><title>${label}: ${shown(estimate.value, unit)}</title></circle>
<text class="value" x="${high + 9}" y="${y + 4}">${shown(estimate.value, unit)}</text>`;
  });
  return svg(WIDTH, bottom + 24, about, [...gridBelow(x, 8, bottom, (tick) => axisName(tick, unit)), ...marks]);
}

/** Cost to the right, success upwards, both with their intervals. Many points carry numbers, and a legend names them. */
export function scatterPlot(
  points: { label: string; x: Estimate; y: Estimate }[],
  [xUnit, yUnit]: [Unit, Unit],
  [xName, yName]: [string, string],
  about: string,
): Html {
  const many = points.length > 5;
  const places = many ? legendPlaces(points.map((point, index) => numbered(point.label, index))) : [];
  const top = many ? 36 + Math.max(...places.map((place) => place.y)) : 16;
  const [left, right, bottom] = [62, WIDTH - (many ? 30 : 90), top + 250];
  const xs = points.flatMap((point) => [point.x.low, point.x.high]);
  const x = scaleOver(xs, left, right, { zero: false });
  const y = scaleOver(
    points.flatMap((point) => [point.y.low, point.y.high]),
    bottom,
    top,
  );
  // Names of neighbours stand on different sides of their points.
  const marks = points.map((point, index) => {
    const [cx, cy] = [round(x.at(point.x.value)), round(y.at(point.y.value))];
    return html`<line class="interval" x1="${round(x.at(point.x.low))}" x2="${round(x.at(point.x.high))}" y1="${cy}" y2="${cy}"/>
<line class="interval" x1="${cx}" x2="${cx}" y1="${round(y.at(point.y.low))}" y2="${round(y.at(point.y.high))}"/>
<circle class="dot" cx="${cx}" cy="${cy}" r="5.5"><title>${point.label}</title></circle>
<text class="name halo" x="${cx + (index % 4 < 2 ? 8 : -8)}" y="${cy + (index % 2 === 0 ? -7 : 17)}" text-anchor="${index % 4 < 2 ? 'start' : 'end'}">${many ? String(index + 1) : cut(point.label, 18)}</text>`;
  });
  const legend = places.map(
    (place, index) =>
      html`<text class="tick" x="${round(place.x)}" y="${place.y + 10}">${numbered(points[index]?.label ?? '', index)}</text>`,
  );
  return svg(WIDTH, bottom + 48, about, [
    ...legend,
    ...gridBelow(x, top, bottom, (tick) => axisName(tick, xUnit)),
    ...gridBeside(y, left, right, (tick) => axisName(tick, yUnit)),
    ...marks,
    html`<text class="axis" x="${(left + right) / 2}" y="${bottom + 40}" text-anchor="middle">${xName}</text>`,
    html`<text class="axis" transform="translate(14 ${(bottom + top) / 2}) rotate(-90)" text-anchor="middle">${yName}</text>`,
  ]);
}

const numbered = (label: string, index: number): string => `${index + 1} ${cut(label, 30)}`;

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
    return html`<text class="name" x="${LABELS - 14}" y="${y + 14}" text-anchor="end">${cut(label, 16)}</text>${pieces}<text class="value" x="${round(x.at(start) + 8)}" y="${y + 14}">${shown(sums[row] ?? 0, unit)}</text>`;
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
