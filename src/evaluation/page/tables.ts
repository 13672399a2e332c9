import { counted } from '../../report/amounts.ts';
import { wilson } from '../statistics/wilson.ts';
import type { Comparison } from '../summary/compare-arms.ts';
import { METRICS } from '../summary/metrics-catalogue.ts';
import type { Summary } from '../summary/summarize.ts';
import { table } from './figure.ts';
import { type Html, html } from './html.ts';
import { anchorOf } from './page-data.ts';
import { difference, probability, withInterval } from './values.ts';

/** Every metric of every arm with its interval. */
export function metricsTable({ arms }: Summary): Html {
  const groups = [...new Set(METRICS.map((metric) => metric.group))];
  const bodies = groups.flatMap((group) => {
    const own = METRICS.filter((metric) => metric.group === group && arms.some((arm) => arm.metrics[metric.key]));
    if (own.length === 0) return [];
    const head = html`<tr class="group"><th scope="rowgroup">${group}</th>${arms.map(() => html`<td></td>`)}</tr>`;
    const rows = own.map(
      ({ key, label, unit }) =>
        html`<tr><th scope="row">${label}</th>${arms.map((arm) => html`<td>${withInterval(arm.metrics[key], unit)}</td>`)}</tr>`,
    );
    return [head, ...rows];
  });
  return html`<div class="card wide"><table><thead><tr><th></th>${arms.map((arm) => html`<th scope="col">${arm.name}</th>`)}</tr></thead><tbody>${bodies}</tbody></table></div>`;
}

/** Each arm against the baseline, with who was gained and lost. */
export function comparisonSection({ comparisons, measure }: Summary): Html {
  if (comparisons.length === 0) return html``;
  const rows = comparisons.map((one) => [
    `${one.treatment} against ${one.control}`,
    differs(one) ? difference(one.difference, 'share') : '0.0 pp (no pair differs)',
    `${one.mcnemar.gained} / ${one.mcnemar.lost}`,
    probability(one.mcnemar.p),
    probability(one.adjusted),
    one.usd?.value === 0 && one.usd.low === one.usd.high ? '–' : difference(one.usd, 'usd'),
    difference(one.tokens, 'tokens'),
  ]);
  const heads = ['', `difference in ${measure}`, 'gained / lost', 'p (McNemar)', 'p after Holm', 'cost', 'tokens'];
  return html`<section><h2>Comparisons</h2><p class="soft">Over the instances that both arms have. Intervals: 95 %, 10,000 paired bootstrap resamples of instances. p: continuity-corrected McNemar, adjusted by Holm over these rows. They speak of other instances, not of another run of the same model.</p>
<div class="card">${table({ heads, rows })}${comparisons.map(transitions)}</div></section>`;
}

/** Resamples of pairs that are all alike have no width, which would look like certainty. */
const differs = ({ gained, lost }: Comparison): boolean => gained.length + lost.length > 0;

function transitions(comparison: Comparison): Html {
  if (!differs(comparison)) return html``;
  const { control, treatment, gained, lost } = comparison;
  return html`<details><summary>${treatment}: who was gained and who was lost</summary>
${list('fail → pass', gained, control, treatment)}${list('pass → fail', lost, control, treatment)}</details>`;
}

function list(title: string, instances: string[], control: string, treatment: string): Html {
  if (instances.length === 0) return html``;
  const items = instances.map(
    (instance) =>
      html`<li>${instance}: <a href="#${anchorOf(instance, control)}">${control}</a>, <a href="#${anchorOf(instance, treatment)}">${treatment}</a></li>`,
  );
  return html`<p><b>${title}</b></p><ul>${items}</ul>`;
}

/** What was not evaluated, how far repetitions agree, and votes. */
export function furtherSections(summary: Summary): Html {
  return html`${notEvaluated(summary)}${agreementSection(summary)}${voteSection(summary)}`;
}

function notEvaluated({ skipped, left }: Summary): Html {
  if (skipped.length + left === 0) return html``;
  const rows = skipped.map((one) => [one.instance, one.reason, one.detail.slice(0, 300)]);
  return html`<section><h2>Not evaluated</h2><p>${counted(skipped.length, 'instance')} skipped, which count in no figure; ${counted(left, 'run')} not done.</p><div class="card">${table({ heads: ['instance', 'why', ''], rows })}</div></section>`;
}

function agreementSection({ agreement }: Summary): Html {
  const rows = Object.entries(agreement).map(([name, alpha]) => [name, alpha.toFixed(2)]);
  if (rows.length === 0) return html``;
  return html`<section><h2>Agreement of the judge with itself</h2><p class="soft">Krippendorff’s alpha between repetitions: 1 is full agreement, 0 is chance.</p><div class="card">${table({ heads: ['judged', 'alpha'], rows })}</div></section>`;
}

/** How often an arm's questions were liked as well or better, by instance (ACQUIRE §V-C2). */
function voteSection({ votes }: Summary): Html {
  if (votes.length === 0) return html``;
  const pairs = [...Map.groupBy(votes, (vote) => `${vote.second} against ${vote.first}`)].map(([pair, own]) => {
    const better = own.filter((vote) => vote.forSecond > vote.forFirst).length;
    const worse = own.filter((vote) => vote.forSecond < vote.forFirst).length;
    const kept = wilson(own.length - worse, own.length);
    const same = own.reduce((sum, vote) => sum + vote.consistent, 0);
    const all = own.reduce((sum, vote) => sum + vote.repetitions, 0);
    return [
      pair,
      `${better} / ${own.length - better - worse} / ${worse}`,
      withInterval(kept, 'share'),
      `${same} of ${all}`,
    ];
  });
  const heads = ['', 'better / tied / worse', 'not worse', 'same in both orders'];
  return html`<section><h2>Votes on questions</h2><p class="soft">Every pair of sets was judged in both orders. The last column counts repetitions whose vote did not depend on the order.</p><div class="card">${table({ heads, rows: pairs })}</div></section>`;
}
