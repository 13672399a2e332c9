import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { githubPage, type Theme } from './pictures/github-page.ts';
import { photograph } from './pictures/photograph.ts';
import { terminalPage } from './pictures/terminal-page.ts';

/*
 * Makes the pictures of the README anew: runs the demonstration (arguments are handed to it, such as --play FILE) and
 * photographs what it wrote to the terminal and what it posted. Needs Chromium. `npm run pictures`
 */
const root = join(import.meta.dirname, '..');
const images = join(root, 'docs/images');
const out = join(root, '.fathom/pictures');
const WIDTH = 860;

const output = await demonstrated(process.argv.slice(2));
await mkdir(images, { recursive: true });
const cut = output.lastIndexOf('\n', output.indexOf('The proof'));
await photograph(terminalPage(output.slice(0, cut), 'npm run demo'), WIDTH, join(images, 'demo.png'));
await photograph(terminalPage(output.slice(cut + 1)), WIDTH, join(images, 'demo-result.png'));
for (const theme of ['light', 'dark'] satisfies Theme[]) await postedPictures(theme);

async function demonstrated(args: string[]): Promise<string> {
  const demo = spawn(process.execPath, ['scripts/demo.ts', '--out', '.fathom/pictures', ...args], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, FORCE_COLOR: '1' },
  });
  const closed = once(demo, 'close');
  const written = await text(demo.stdout);
  const [code] = await closed;
  if (code !== 0) throw new Error(`the demonstration ended with ${code}\n${written}`);
  return written.replaceAll(resolve(root), '.');
}

async function postedPictures(theme: Theme): Promise<void> {
  const author = 'fathom';
  const diagnosis = await readFile(join(out, 'diagnosis.md'), 'utf8');
  const comment = { title: 'Diagnosis', markdown: diagnosis, theme, frame: { author, said: 'commented now' } };
  await photograph(githubPage(comment), WIDTH, join(images, `diagnosis-${theme}.png`));
  const pull = await readFile(join(out, 'pull-request.md'), 'utf8');
  const end = pull.indexOf('\n');
  const heading = pull.slice(0, end).replace(/^# /, '');
  const frame = { author, said: 'wants to merge 1 commit', heading, badge: 'Draft' };
  const page = githubPage({ title: heading, markdown: pull.slice(end), theme, frame });
  await photograph(page, WIDTH, join(images, `pull-request-${theme}.png`));
}
