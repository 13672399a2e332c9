import { readdir } from 'node:fs/promises';
import type Docker from 'dockerode';
import { EnvironmentError } from '../../src/domain/errors.ts';
import { SANDBOX_IMAGE } from '../../src/sandbox/sandbox-image.ts';

const BASE = 'debian:bookworm-slim';
const PULL_SECONDS = 120;

/** True where the engine has the base image, or has just pulled it. */
export async function canPull(engine: Docker): Promise<boolean> {
  try {
    await engine.getImage(BASE).inspect();
    return true;
  } catch {
    return pull(engine);
  }
}

/** @throws EnvironmentError with what the build said last. */
export async function buildImage(engine: Docker, folder: string, labels: Record<string, string>): Promise<void> {
  const src = await readdir(folder);
  const options = { t: SANDBOX_IMAGE, labels, rm: true, forcerm: true };
  try {
    await finished(engine, await engine.buildImage({ context: folder, src }, options));
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const remedy = 'Look at the network of the engine, and try again.';
    throw new EnvironmentError('image-build', `the sandbox image could not be built: ${message}`, remedy, {
      cause: error,
    });
  }
}

async function pull(engine: Docker): Promise<boolean> {
  try {
    const progress = await engine.pull(BASE, { abortSignal: AbortSignal.timeout(PULL_SECONDS * 1000) });
    await finished(engine, progress);
    return true;
  } catch {
    return false;
  }
}

/** The engine reports what went wrong as the last message of its progress. */
const finished = (engine: Docker, progress: NodeJS.ReadableStream): Promise<void> =>
  new Promise((resolve, reject) => {
    progress.once('error', reject);
    engine.modem.followProgress(progress, (error: Error | null) => (error === null ? resolve() : reject(error)));
  });
