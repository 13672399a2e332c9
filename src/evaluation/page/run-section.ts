import type { AuditedFinding, AuditedPair, Diagnosis } from '../../domain/diagnosis.ts';
import type { Message } from '../../domain/ports/chat-model.ts';
import type { TrajectoryEntry } from '../../domain/ports/trajectory-store.ts';
import { counted, duration, money, tokens } from '../../report/amounts.ts';
import type { Outcome } from '../scoring/outcome.ts';
import { type Html, html } from './html.ts';
import { anchorOf, type RunPage } from './page-data.ts';

const SHOWN_TEXT = 3000;
const SHOWN_STEPS = 60;

/** One run: how it ended, its diagnosis, its patch, its transcripts. All of it is text of others, and escaped. */
export function runSection(run: RunPage): Html {
  const { outcome, diagnosis, patch, trajectories, folder } = run;
  return html`<section class="run" id="${anchorOf(outcome.instance, outcome.arm)}">
<h4>${outcome.arm} ${verdictChip(outcome)} <span class="soft chip">${factsOf(outcome)}</span></h4>
${outcome.end.kind === 'failed' ? html`<p class="no">${outcome.end.code}: ${outcome.end.message}</p>` : undefined}
${outcome.tests?.reason === undefined ? undefined : html`<p class="soft">${outcome.tests.reason}</p>`}
${diagnosis ? diagnosisPart(diagnosis) : undefined}
${patch ? html`<details><summary>The change</summary><pre>${clip(patch, 20_000)}</pre></details>` : undefined}
${trajectories.map(({ agent, entries }) => trajectoryPart(agent, entries))}
<p class="soft">Whole transcripts: <a href="${folder}">${folder}</a></p>
</section>`;
}

export function verdictChip(outcome: Outcome): Html {
  const { end, tests, files, predicted } = outcome;
  if (end.kind === 'failed' || end.kind === 'stopped') return html`<span class="chip no">did not finish</span>`;
  if (tests)
    return tests.resolved
      ? html`<span class="chip yes">✓ resolved</span>`
      : html`<span class="chip no">✗ not resolved</span>`;
  if (!files) return html`<span class="chip soft">${end.kind}</span>`;
  if (predicted.length === 0) return html`<span class="chip no">– named no place</span>`;
  return files.hitAt1 === 1
    ? html`<span class="chip yes">✓ right file first</span>`
    : html`<span class="chip no">✗ wrong file first</span>`;
}

function factsOf({ spent, seconds, agents }: Outcome): string {
  const steps = agents.reduce((sum, agent) => sum + agent.steps, 0);
  return `${steps} steps · ${tokens(spent.tokens.input + spent.tokens.output)} · ${money(spent.usd)} · ${duration(seconds)}`;
}

function diagnosisPart({ findings, knowledge, abstention, notes }: Diagnosis): Html {
  return html`<details><summary>The diagnosis (${counted(findings.length, 'finding')}, ${counted(knowledge.length, 'answer')})</summary>
${abstention === undefined ? undefined : html`<p>No place was named: ${clip(abstention, SHOWN_TEXT)}</p>`}
${findings.map(findingPart)}${knowledge.map(pairPart)}
${notes.map((note) => html`<p class="soft">${clip(note, 500)}</p>`)}</details>`;
}

function findingPart(finding: AuditedFinding, index: number): Html {
  const places = finding.checked.map(
    ({ location: { path, startLine, endLine }, verdict }) =>
      `${path}:${startLine}-${endLine}${verdict === 'confirmed' ? '' : ` (${verdict})`}`,
  );
  const texts = [
    finding.locationExplanation,
    finding.rootCause,
    finding.solutionIdea,
    finding.dependencies,
    finding.testingImpact,
  ];
  const same = new Set(texts).size === 1;
  const names = ['Location', 'Root cause', 'Solution idea', 'Dependencies', 'Testing impact'];
  const fields = same
    ? [html`<p>${clip(texts[0] ?? '', SHOWN_TEXT)}</p>`]
    : names.map((name, at) => html`<p><b>${name}.</b> ${clip(texts[at] ?? '', SHOWN_TEXT)}</p>`);
  return html`<h5>Finding ${index + 1}</h5>${places.map((place) => html`<div><code>${place}</code></div>`)}${fields}`;
}

function pairPart({ question, answer, checked, end }: AuditedPair): Html {
  const held = checked.filter(({ verdict }) => verdict === 'confirmed' || verdict === 'corrected').length;
  return html`<h5>${question.id} · ${question.category}</h5><p>${clip(question.text, SHOWN_TEXT)}</p>
${answer ? html`<p class="soft">${answer.outcome}; ${held} of ${checked.length} citations hold</p><pre>${clip(answer.text, SHOWN_TEXT)}</pre>` : html`<p class="soft">no answer: ${end}</p>`}`;
}

function trajectoryPart(agent: string, entries: TrajectoryEntry[]): Html {
  const messages = entries.flatMap((entry) =>
    entry.type === 'message' && entry.message.role !== 'system' ? [entry] : [],
  );
  const left = messages.length - SHOWN_STEPS;
  return html`<details><summary>Transcript of ${agent} (${counted(messages.length, 'message')})</summary>
${messages.slice(0, SHOWN_STEPS).map(({ step, message }) => messagePart(step, message))}
${left > 0 ? html`<p class="soft">${left} more are in the transcript’s file.</p>` : undefined}</details>`;
}

function messagePart(step: number, message: Message): Html {
  const calls = message.role === 'assistant' ? message.toolCalls.map((call) => `${call.name} ${call.arguments}`) : [];
  const text = [message.text, ...calls].filter((part) => part !== '').join('\n');
  const first = clip(text.replaceAll(/\s+/g, ' '), 110);
  return html`<details class="step"><summary><span class="soft">${step} · ${message.role}</span> ${first}</summary><pre>${clip(text, SHOWN_TEXT)}</pre></details>`;
}

const clip = (text: string, most: number): string => (text.length <= most ? text : `${text.slice(0, most)} …`);
