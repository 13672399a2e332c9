import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { type Config, type ConfigFlags, readConfig } from '../config.ts';
import { CancelledError, type Problem } from '../domain/errors.ts';
import type { EngineReport } from '../domain/ports/sandbox-host.ts';
import { PROBE_TOOL, probeModel } from '../model/probe-model.ts';
import { loadPrompts } from '../prompts/load-prompts.ts';
import { type Check, settingChecks, skipped, skippedFor, tried } from './check.ts';
import { composeModel, composeSandboxes, promptsFolder } from './compose.ts';
import { exitCodes } from './exit-codes.ts';
import { parseRepository } from './github-access.ts';
import { checkGitHub, checkServerSettings } from './github-checks.ts';
import { tellAsking } from './tell-asking.ts';

const probeSeconds = 60;

/**
 * `fathom doctor`: what a run needs, whether it is there, and what to do about what is not. One thing that is wrong keeps it
 * from looking only at what rests on that. Exit code 1 when broken.
 */
export async function doctorCommand(flags: ConfigFlags & { json?: boolean; github?: string }): Promise<number> {
  const repository = flags.github === undefined ? undefined : parseRepository(flags.github);
  const checks: Check[] = [];
  const show = (...found: Check[]) => {
    checks.push(...found);
    if (!flags.json) process.stdout.write(found.map(renderCheck).join(''));
  };
  show(checkNode(), await checkGit());
  const { config, problems } = readConfig(flags);
  show(...settingChecks(problems));
  if (repository) show(...checkServerSettings());
  show(...(await unlessWrong('Docker Engine', engineSettings, problems, () => checkSandboxes(config))));
  show(...(await unlessWrong('model', modelSettings, problems, () => checkModel(config))));
  if (repository) show(...(await checkGitHub(repository)));
  if (flags.json) process.stdout.write(`${JSON.stringify(checks, null, 2)}\n`);
  return checks.some((check) => check.state === 'broken') ? exitCodes.failed : exitCodes.done;
}

const engineSettings = ['FATHOM_SANDBOX_RUNTIME', 'FATHOM_DISK_GB'];
const modelSettings = [
  ...['OPENAI_API_KEY', 'OPENAI_BASE_URL', 'FATHOM_API', '--api', 'FATHOM_MODEL', 'FATHOM_PROTOCOL'],
  ...['FATHOM_REASONING_EFFORT', 'FATHOM_AGENT_SECONDS', 'FATHOM_CALL_SECONDS', 'FATHOM_RECORD', 'FATHOM_PLAYBACK'],
  ...['FATHOM_PRICE_INPUT', 'FATHOM_PRICE_CACHED', 'FATHOM_PRICE_OUTPUT'],
];

/** Where a setting that it rests on is wrong, its default would be looked at, and code or a key sent elsewhere. */
async function unlessWrong(
  name: string,
  settings: string[],
  problems: Problem[],
  look: () => Promise<Check[]>,
): Promise<Check[]> {
  const inTheWay = problems.filter(
    ({ source }) => source.endsWith('.env') || source.split(', ').some((one) => settings.includes(one)),
  );
  return inTheWay.length > 0 ? [skippedFor(name, inTheWay)] : tried(name, look);
}

const marks = { ok: '✓', warning: '!', broken: '✗', skipped: '-' } as const;

function renderCheck({ name, state, detail, remedy }: Check): string {
  const line = `${marks[state]} ${name.padEnd(14)} ${detail}\n`;
  return remedy === undefined ? line : `${line}${' '.repeat(17)}→ ${remedy}\n`;
}

function checkNode(): Check {
  const ok = Number(process.versions.node.split('.')[0]) >= 24;
  const detail = process.versions.node;
  return ok
    ? { name: 'Node', state: 'ok', detail }
    : { name: 'Node', state: 'broken', detail, remedy: 'Run `npm ci`, which brings Node 24 along.' };
}

async function checkGit(): Promise<Check> {
  try {
    const { stdout } = await promisify(execFile)('git', ['--version']);
    return { name: 'git', state: 'ok', detail: stdout.trim().replace('git version ', '') };
  } catch {
    return { name: 'git', state: 'broken', detail: 'is not on the PATH', remedy: 'Install git 2.31 or newer.' };
  }
}

async function checkSandboxes(config: Config): Promise<Check[]> {
  return checkEngine(await composeSandboxes(config).inspect(config.settings.sandboxImage));
}

function checkEngine(report: EngineReport): Check[] {
  const problems = report.problems.map((problem) =>
    checkOf(problem.of === 'image' ? 'sandbox image' : 'Docker Engine', problem),
  );
  if (!report.reachable) return [...problems, skipped('sandbox image', 'the engine does not answer')];
  const facts = [
    `${report.version ?? 'unknown version'} at ${report.address}`,
    `cgroup v${report.cgroupVersion ?? '?'}`,
    report.seccomp ? 'seccomp' : 'no seccomp',
    report.storageDriver,
    report.rootless ? 'rootless' : undefined,
    report.userNamespaces ? 'user namespaces' : undefined,
    report.gVisor ? 'gVisor' : undefined,
    report.freeDiskBytes === undefined ? undefined : `${Math.round(report.freeDiskBytes / 1e9)} GB free`,
  ];
  const engine: Check = { name: 'Docker Engine', state: 'ok', detail: facts.filter(Boolean).join(' · ') };
  const image: Check[] = report.image?.present
    ? [
        {
          name: 'sandbox image',
          state: 'ok',
          detail: `${report.image.name} ${(report.image.digest ?? '').slice(0, 19)}`,
        },
      ]
    : [];
  return [engine, ...image, ...problems];
}

async function checkModel(config: Config): Promise<Check[]> {
  const model = composeModel(config);
  if (!model) {
    const remedy = 'Set OPENAI_API_KEY and FATHOM_MODEL; without a model Fathom only ranks suspects.';
    return [{ name: 'model', state: 'warning', detail: 'none is configured', remedy }];
  }
  const prompts = loadPrompts(promptsFolder);
  const prompt = { text: prompts.render('doctor/probe', { tool: PROBE_TOOL }), hash: prompts.hash('doctor') };
  const { api, address } = model.describe();
  tellAsking(`the model at ${address}`);
  const limit = AbortSignal.timeout(probeSeconds * 1000);
  const probe = await probeModel(model, config.settings.roles.localizer, prompt, limit).catch((error: unknown) => {
    if (error instanceof CancelledError) return undefined;
    throw error;
  });
  if (probe === undefined) {
    const detail = `no reply from ${address} within ${probeSeconds} s`;
    return [
      { name: 'model', state: 'broken', detail, remedy: 'See whether the server runs and answers other programs.' },
    ];
  }
  const facts = [
    `${config.settings.roles.localizer.model} (${api}) at ${address}`,
    probe.callsTools ? 'calls tools' : undefined,
    probe.reasons ? 'reasons' : undefined,
    probe.usd === undefined ? undefined : 'price known',
  ];
  const answered: Check[] = probe.failure
    ? []
    : [{ name: 'model', state: 'ok', detail: facts.filter(Boolean).join(' · ') }];
  return [...answered, ...probe.problems.map((problem) => checkOf('model', problem))];
}

const checkOf = (name: string, { message, remedy, fatal }: EngineReport['problems'][number]): Check => ({
  name,
  state: fatal ? 'broken' : 'warning',
  detail: message,
  remedy,
});
