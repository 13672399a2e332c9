import { FathomError } from '../../src/domain/errors.ts';
import { terminal } from './console.ts';
import { provideEngine } from './provide-engine.ts';
import { provideSandboxImage } from './provide-sandbox-image.ts';

/** Sees to it that this machine has a Docker Engine and the sandbox image: `npm run provide`. */
try {
  await provideEngine();
  await provideSandboxImage();
} catch (error) {
  if (!(error instanceof FathomError)) throw error;
  terminal.say(`${error.message}\n${error.remedy}`);
  process.exitCode = 1;
}
