import { counted } from '../../report/amounts.ts';
import { STAND_IN } from '../stand-in/lexical-model.ts';
import { categoryBars, phaseBars, purposeBars, stageBars, tokenBars } from './bars-of-runs.ts';
import { table } from './figure.ts';
import { Html, html } from './html.ts';
import { instanceList } from './instance-list.ts';
import type { PageData } from './page-data.ts';
import { costPlot, qualityPlot, ratePlot, sweepPlot } from './plots-of-summary.ts';
import { SCRIPT, STYLE } from './style.ts';
import { comparisonSection, furtherSections, metricsTable } from './tables.ts';

/** The report as one page that loads nothing from anywhere. */
export function renderPage(data: PageData): string {
  const { summary } = data;
  const plots = PLOTS.flatMap((plot) => plot(data));
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
<title>Fathom evaluation</title><style>${new Html(STYLE)}</style></head>
<body><main>
${header(data)}
<section><h2>Arms</h2>${armsTable(data)}</section>
<section><h2>Plots</h2><div class="figures">${plots}</div></section>
${comparisonSection(summary)}
<section><h2>Every figure</h2><p class="soft">Means over the instances that have the value (n), with 95 % intervals: Wilson’s for shares of instances, bootstrap (10,000 resamples of instances) for the others. Files and chunks as SHERLOC defines them, chunks by strict containment; runs that named nothing count as misses.</p>${metricsTable(summary)}</section>
${furtherSections(summary)}
${instanceList(data)}
</main><script>${new Html(SCRIPT)}</script></body></html>
`.text;
}

const PLOTS = [
  ...[ratePlot, costPlot, tokenBars, qualityPlot, stageBars],
  ...[sweepPlot, categoryBars, purposeBars, phaseBars],
];

function header({ summary, data, models }: PageData): Html {
  const scope = { localize: 'localization only', diagnose: 'diagnosis', resolve: 'diagnosis and repair' }[
    summary.scope
  ];
  return html`<header><h1>Evaluation: ${scope}</h1>
<p class="soft">${counted(summary.instances, 'instance')} of ${data}, ${counted(summary.arms.length, 'arm')}. Models: ${models.join(', ')}.</p>
${summary.standIn ? html`<p class="note"><b>No language model was asked.</b> A ${STAND_IN} answered as the Localizer, from a ranking of words. These figures try out the evaluation and show how far words alone get; they say nothing about Fathom with a model.</p>` : undefined}</header>`;
}

const armsTable = ({ summary }: PageData): Html =>
  html`<div class="card">${table({ heads: ['arm', '', 'runs', 'what it is'], rows: summary.arms.map((arm) => [arm.name, arm.kind, String(arm.runs), arm.about]) })}</div>`;
