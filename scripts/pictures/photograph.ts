import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { runProgram } from '../provide/run-program.ts';

const REMEDY = 'Install Chromium (`apt-get install -y chromium`), and try again.';
const QUIET = ['--headless', '--no-sandbox', '--disable-gpu', '--no-first-run', '--hide-scrollbars'];
const OFFLINE = ['--disable-background-networking', '--disable-component-update'];

/** Takes a picture (PNG) of the whole of a page that is `width` pixels wide. @throws EnvironmentError */
export async function photograph(html: string, width: number, file: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'pictures-'));
  const chromium = (...args: string[]) =>
    runProgram('chromium', [...QUIET, ...OFFLINE, `--user-data-dir=${join(folder, 'profile')}`, ...args], REMEDY);
  try {
    const measured = join(folder, 'measured.html');
    await writeFile(measured, html.replace(/<meta http-equiv[^>]*>/, '') + MEASURE);
    const size = `--window-size=${width},200`;
    const shown = await chromium(size, '--dump-dom', pathToFileURL(measured).href);
    const height = Number(/data-height="(\d+)"/.exec(shown)?.[1] ?? 1000);
    const page = join(folder, 'page.html');
    await writeFile(page, html);
    const target = [`--window-size=${width},${height}`, '--force-device-scale-factor=1.5', `--screenshot=${file}`];
    await chromium(...target, pathToFileURL(page).href);
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

const MEASURE = `<script>document.documentElement.dataset.height = Math.ceil(document.body.getBoundingClientRect().bottom)</script>`;
