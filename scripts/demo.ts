import { describeError } from '../src/cli/describe-error.ts';
import { exitCodes } from '../src/cli/exit-codes.ts';
import { stopOnSignals } from '../src/cli/stop-signal.ts';
import { CancelledError, FathomError } from '../src/domain/errors.ts';
import { chooseSpeaker } from './demo/choose-speaker.ts';
import { type DemoOptions, readDemoOptions, usage } from './demo/demo-options.ts';
import { runDemo } from './demo/run-demo.ts';
import { createScreen } from './demo/screen/screen.ts';
import { terminal } from './provide/console.ts';
import { installMissing, mayInstall } from './provide/debian.ts';
import { provideEngine } from './provide/provide-engine.ts';
import { provideSandboxImage } from './provide/provide-sandbox-image.ts';

/** `npm run demo`: exit code 0 when a pull request was opened, 1 when not, 2 for bad input, 130 when stopped. */
const options = readDemoOptions(process.argv.slice(2));
if (options === undefined) {
  process.stderr.write(usage);
  process.exitCode = process.argv.includes('--help') || process.argv.includes('-h') ? exitCodes.done : exitCodes.input;
} else {
  process.exitCode = await demonstrate(options);
}

async function demonstrate(demo: DemoOptions): Promise<number> {
  const screen = createScreen(process.stdout);
  try {
    const speaker = chooseSpeaker(demo);
    screen.print('', screen.style('bold', 'Fathom, from a label to a pull request'), '');
    if (await mayInstall()) await installMissing({ git: 'git' }, terminal);
    await provideEngine(terminal);
    await provideSandboxImage(terminal);
    const stop = stopOnSignals(() => screen.print('', screen.style('dim', 'Stopping, and cleaning up …')));
    // A terminal that is closed says so with this signal, which would end the process at once.
    process.on('SIGHUP', () => process.kill(process.pid, 'SIGTERM'));
    try {
      return (await runDemo({ options: demo, speaker, screen, stop: stop.signal })) ? exitCodes.done : exitCodes.failed;
    } finally {
      stop.release();
    }
  } catch (error) {
    if (error instanceof CancelledError) return exitCodes.stopped;
    if (!(error instanceof FathomError)) throw error;
    process.stderr.write(`\n${describeError(error)}\n`);
    return error.code === 'input' ? exitCodes.input : exitCodes.failed;
  }
}
