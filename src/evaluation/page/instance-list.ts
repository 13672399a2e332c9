import { duration } from '../../report/amounts.ts';
import { type Html, html } from './html.ts';
import { anchorOf, type PageData, type RunPage } from './page-data.ts';
import { runSection, verdictChip } from './run-section.ts';

/** Characters of runs that are put into the page; what is beyond is in the folder, and the page stays usable. */
const MOST_CHARACTERS = 24_000_000;

/** Every instance, with what each arm made of it. */
export function instanceList({ runs }: PageData): Html {
  const byInstance = Map.groupBy(runs, ({ outcome }) => outcome.instance);
  let characters = 0;
  const cards = [...byInstance].map(([instance, own]) => {
    const sections = own.map((run) => {
      const section = characters < MOST_CHARACTERS ? runSection(run) : shortSection(run);
      characters += section.text.length;
      return section;
    });
    return instanceCard(instance, own, sections);
  });
  return html`<section><h2 id="instances">Instances</h2><p class="soft">Each opens what every arm made of it: diagnosis, change and transcripts.</p>${cards}</section>`;
}

function instanceCard(instance: string, own: RunPage[], sections: Html[]): Html {
  const gold = own[0]?.outcome.gold;
  const chunks = gold?.chunks.map(({ startLine, endLine, path }) => `${path}:${startLine}-${endLine}`) ?? [];
  const issue = own.find((run) => run.issue)?.issue;
  return html`<details class="card instance" id="${instance}"><summary><b>${instance}</b>${own.map(
    ({ outcome }) => html`<span class="chip"><span class="soft">${outcome.arm}</span> ${verdictChip(outcome)}</span>`,
  )}</summary>
${issue ? html`<p><b>${issue.title}</b></p><details><summary>The issue</summary><pre>${issue.text.slice(0, 8000)}</pre></details>` : undefined}
<p class="soft">The merged fix changes ${(chunks.length > 0 ? chunks : (gold?.files ?? [])).map((place) => html`<code>${place}</code> `)}</p>
${sections}</details>
`;
}

const shortSection = ({ outcome, folder }: RunPage): Html =>
  html`<section class="run" id="${anchorOf(outcome.instance, outcome.arm)}"><h4>${outcome.arm} ${verdictChip(outcome)}</h4><p class="soft">${duration(outcome.seconds)} · <a href="${folder}">its folder</a></p></section>`;
