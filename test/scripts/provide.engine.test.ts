import { expect, test } from 'vitest';
import { provideEngine } from '../../scripts/provide/provide-engine.ts';
import { provideSandboxImage } from '../../scripts/provide/provide-sandbox-image.ts';

test('where engine and image are there, nothing is asked, said or made', async () => {
  const said: string[] = [];
  const console = {
    say: (line: string) => void said.push(line),
    agrees: async (question: string) => said.push(question) > 9,
  };
  await provideEngine(console);
  await provideSandboxImage(console);
  expect(said).toEqual([]);
});
