import { createHash } from 'node:crypto';
import { cp, mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type Docker from 'dockerode';
import { SandboxError } from '../../src/domain/errors.ts';
import { connectEngine } from '../../src/sandbox/engine-client.ts';
import { statusOf } from '../../src/sandbox/engine-errors.ts';
import { SANDBOX_IMAGE } from '../../src/sandbox/sandbox-image.ts';
import { bootstrapImage } from './bootstrap-image.ts';
import { buildImage, canPull } from './build-image.ts';
import { type Console, terminal } from './console.ts';
import { mayInstall } from './debian.ts';
import { runProgram } from './run-program.ts';

const RECIPE = fileURLToPath(new URL('../sandbox-image', import.meta.url));
/** Where Debian and its relatives keep the certificates that were added to a machine. */
const CERTIFICATES = '/usr/local/share/ca-certificates';
/** The newest npm that runs on the image's Node 18. */
const NPM = 'npm@10.9.9';

/**
 * Sees to it that the engine has the sandbox image, as this checkout's recipe describes it: built from the registry's
 * Debian image where that can be pulled, else with debootstrap, on Debian, as root. An image under that name that was
 * made by somebody else is left alone.
 * @throws SandboxError with a remedy where neither is possible, EnvironmentError when one of the two fails.
 */
export async function provideSandboxImage(console: Console = terminal): Promise<void> {
  const engine = connectEngine({});
  const recipe = await hashOfRecipe();
  if (await isCurrent(engine, recipe)) return;
  const labels = { [RECIPE_LABEL]: recipe };
  const pullable = await canPull(engine);
  if (!pullable && !(await mayInstall())) throw cannotMake();
  const folder = await mkdtemp(join(tmpdir(), 'sandbox-image-'));
  try {
    await cp(RECIPE, folder, { recursive: true });
    await copyCertificates(join(folder, 'certificates'), console);
    await fetchNpm(folder);
    const how = pullable ? 'from debian:bookworm-slim' : 'with debootstrap, since no registry answers';
    console.say(`making the image ${SANDBOX_IMAGE} ${how} (two to four minutes)`);
    if (pullable) await buildImage(engine, folder, labels);
    else await bootstrapImage(engine, folder, labels, console);
    console.say(`made the image ${SANDBOX_IMAGE}`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Under this label an image carries the hash of the recipe that it was made by. */
const RECIPE_LABEL = 'fathom.recipe';

async function isCurrent(engine: Docker, recipe: string): Promise<boolean> {
  try {
    const { Config } = await engine.getImage(SANDBOX_IMAGE).inspect();
    const made = Config.Labels?.[RECIPE_LABEL];
    return made === undefined || made === recipe;
  } catch (error) {
    if (statusOf(error) === 404) return false;
    throw error;
  }
}

async function hashOfRecipe(): Promise<string> {
  const hash = createHash('sha256').update(NPM);
  const recipe = (await readdir(RECIPE)).sort().map((name) => join(RECIPE, name));
  const certificates = (await addedCertificates()).map((name) => join(CERTIFICATES, name));
  for (const file of [...recipe, ...certificates]) hash.update(basename(file)).update(await readFile(file));
  return hash.digest('hex');
}

/** Behind a proxy that re-encrypts, set-up reaches its registries only with the certificates that this machine trusts. */
async function copyCertificates(target: string, console: Console): Promise<void> {
  await mkdir(target);
  const names = await addedCertificates();
  for (const name of names) await cp(join(CERTIFICATES, name), join(target, name));
  if (names.length > 0) console.say(`the image will trust ${names.join(', ')}, as this machine does`);
}

async function addedCertificates(): Promise<string[]> {
  const names = await readdir(CERTIFICATES).catch(() => []);
  return names.filter((name) => name.endsWith('.crt')).sort();
}

async function fetchNpm(folder: string): Promise<void> {
  const remedy = 'Look at the network and the npm registry, and try again.';
  const printed = await runProgram('npm', ['pack', NPM, '--silent', '--pack-destination', folder], remedy, {
    cwd: folder,
  });
  const file = printed.trim().split('\n').at(-1) ?? '';
  await cp(join(folder, file), join(folder, 'npm.tgz'));
  await rm(join(folder, file));
}

const cannotMake = (): SandboxError =>
  new SandboxError(
    `the engine has no image ${SANDBOX_IMAGE} and cannot pull debian:bookworm-slim to build it from`,
    'Let the engine reach a registry, or run this as root on Debian, where it is made with debootstrap.',
  );
