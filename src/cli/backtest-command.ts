import { mkdir, rename, writeFile } from 'node:fs/promises';
import { resolve as absolute, dirname } from 'node:path';
import { Octokit } from '@octokit/rest';
import { readVariables } from '../config.ts';
import { InputError } from '../domain/errors.ts';
import type { Secrets } from '../domain/ports/secrets.ts';
import { systemClock } from '../domain/system-clock.ts';
import { mineIssues } from '../evaluation/backtest/mine-issues.ts';
import { type Decision, REFUSALS, type Refusal } from '../evaluation/backtest/mined.ts';
import { makePatient } from '../github/patient-requests.ts';
import { diskError } from '../jobs/disk-error.ts';
import { appendLine } from '../jobs/folder-ledger.ts';
import { oneLine } from '../report/plain-text.ts';
import { createSecrets } from '../secrets/create-secrets.ts';
import { readDecisions } from './backtest-file.ts';
import { createGitHubSource } from './backtest-github.ts';
import { exitCodes } from './exit-codes.ts';
import { stopOnSignals } from './stop-signal.ts';

export interface BacktestFlags {
  out?: string;
  baseUrl?: string;
  limit?: string;
  since?: string;
}

const HOUR = 3600;

/**
 * `fathom backtest OWNER/REPO`: closed issues with one merged fix, as a data set for `fathom eval`. Every decision is
 * appended to `<out>.decisions` when it is made, so that the same command goes on after a stop.
 */
export async function backtestCommand(repository: string, flags: BacktestFlags): Promise<number> {
  const [owner, repo, out, limit] = readFlags(repository, flags);
  const tell = (line: string) => process.stderr.write(`${line}\n`);
  const stop = stopOnSignals(tell);
  try {
    const octokit = client(flags.baseUrl, stop.signal, tell);
    const before = await readDecisions(`${out}.decisions`);
    const decisions = new Map(before.map((decision) => [decision.issue, decision]));
    if (before.length > 0) tell(`${before.length} issues were decided before.`);
    const source = createGitHubSource(octokit, { owner, repo }, flags.since);
    const mining = { repository: `${owner}/${repo}`, decided: new Set(decisions.keys()), limit, signal: stop.signal };
    const secrets = createSecrets();
    for await (const found of mineIssues(source, mining)) {
      const decision = await withoutSecrets(found, secrets);
      await appendLine(`${out}.decisions`, decision);
      decisions.set(decision.issue, decision);
      tell(decisionLine(decision));
    }
    await writeDataset(out, [...decisions.values()]);
    for (const line of summaryLines([...decisions.values()], out)) process.stdout.write(`${line}\n`);
    return exitCodes.done;
  } catch (error) {
    if (!stop.signal.aborted) throw error;
    tell('Stopped. The same command goes on from here.');
    return exitCodes.stopped;
  } finally {
    stop.release();
  }
}

/** Of what people wrote; a patch has to stay what it is, or it would not apply. */
async function withoutSecrets(decision: Decision, { redact }: Secrets): Promise<Decision> {
  const { title, instance } = decision;
  const clean = { ...decision, title: await redact(title) };
  if (instance === undefined) return clean;
  return { ...clean, instance: { ...instance, problem_statement: await redact(instance.problem_statement) } };
}

function readFlags(repository: string, { out, limit }: BacktestFlags): [string, string, string, number] {
  const match = /^([\w-]+)\/([\w.-]+)$/.exec(repository);
  const most = limit === undefined ? Number.POSITIVE_INFINITY : Number(limit);
  const problems = [
    match
      ? undefined
      : { source: repository, message: 'is no owner/name', remedy: 'Name the repository as owner/name.' },
    out === undefined ? { source: '--out', message: 'is missing', remedy: 'Name the file to write.' } : undefined,
    most > 0 ? undefined : { source: '--limit', message: 'is no number', remedy: 'Give how many instances to take.' },
  ].filter((problem) => problem !== undefined);
  if (problems.length > 0 || !match || out === undefined) throw new InputError(problems);
  return [match[1] as string, match[2] as string, absolute(out), most];
}

function client(baseUrl: string | undefined, signal: AbortSignal, tell: (line: string) => void): Octokit {
  const token = readVariables().variables['GITHUB_TOKEN'];
  if (token === undefined) tell('GITHUB_TOKEN is not set: GitHub answers 60 requests an hour without one.');
  const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
  const octokit = new Octokit({ ...(baseUrl ? { baseUrl } : {}), ...(token ? { auth: token } : {}), log: silent });
  const log = {
    info: () => undefined,
    error: () => undefined,
    warn: (fields: object) => tell(waitingLine(fields)),
  };
  makePatient(octokit, { clock: systemClock, log, limitSeconds: 24 * HOUR, signal });
  return octokit;
}

/** @param fields what `makePatient` logs of a wait */
function waitingLine(fields: { seconds?: unknown; status?: unknown; error?: unknown }): string {
  const silence = `did not answer${fields.error === undefined ? '' : ` (${fields.error})`}`;
  const why = fields.status === undefined ? silence : `answered with ${fields.status}`;
  return `GitHub ${why}; asked again in ${fields.seconds} s.`;
}

async function writeDataset(out: string, decisions: Decision[]): Promise<void> {
  const instances = decisions.flatMap(({ instance }) => (instance ? [JSON.stringify(instance)] : []));
  try {
    await mkdir(dirname(out), { recursive: true });
    await writeFile(`${out}.tmp`, instances.map((line) => `${line}\n`).join(''));
    await rename(`${out}.tmp`, out);
  } catch (error) {
    throw diskError(out, error);
  }
}

function decisionLine({ issue, title, taken, refusal, instance }: Decision): string {
  const name = `#${issue} ${oneLine(title, 60)}`;
  if (!taken) return `  ${name}: not taken, ${REFUSALS[refusal as Refusal]}`;
  return `✓ ${name}: taken, fixed by #${instance?.pull_number}${instance?.test_patch ? '' : ', without tests'}`;
}

function summaryLines(decisions: Decision[], out: string): string[] {
  const taken = decisions.flatMap(({ instance }) => (instance ? [instance] : []));
  const untested = taken.filter((one) => one.test_patch === undefined).length;
  const edited = taken.filter((one) => !one.first_written).length;
  const reasons = Object.entries(REFUSALS).flatMap(([refusal, words]) => {
    const count = decisions.filter((decision) => decision.refusal === refusal).length;
    return count > 0 ? [`  ${count} not taken: ${words}`] : [];
  });
  return [
    `${decisions.length} closed issues, ${taken.length} taken (${untested} without tests: they can be localized, not tested)`,
    ...reasons,
    ...(edited > 0 ? [`  of ${edited} the text is as it stands now: the host tells no history of edits`] : []),
    `Data set: ${out}`,
  ];
}
