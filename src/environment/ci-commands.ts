import { parseDocument } from 'yaml';
import { z } from 'zod';
import type { TreeFiles } from './tree-files.ts';

const WORKFLOWS = '.github/workflows';
const MOST_WORKFLOWS = 20;
const MOST_COMMANDS = 300;

const Workflow = z.object({
  jobs: z.record(z.string(), z.object({ steps: z.array(z.object({ run: z.string().optional() })).optional() })),
});

/** The shell lines of the repository's GitHub Actions workflows: what its maintainers run themselves. */
export async function ciCommands(files: TreeFiles): Promise<string[]> {
  const names = (await files.list(WORKFLOWS)).filter((name) => name.endsWith('.yml') || name.endsWith('.yaml'));
  const commands: string[] = [];
  for (const name of names.slice(0, MOST_WORKFLOWS)) {
    commands.push(...commandsOf(await files.read(`${WORKFLOWS}/${name}`)));
  }
  return commands.slice(0, MOST_COMMANDS);
}

/** A line that runs tests and nothing else, by how the well-known runners are called. */
const TESTING =
  /^(?:npm (?:run )?test(?::\w+)?|npx (?:vitest run|jest|mocha|ava|tap)|(?:python3? -m )?(?:pytest|unittest|nose2)|tox|nox|go test|cargo test|make (?:test|check)|bundle exec (?:rspec|rake)|rspec|rake test|composer (?:run )?test|phpunit|\.\/gradlew|mvn|dotnet test|ctest|prove)(?: [\w./:=*,-]+)*$/;

/** What the repository's workflows run as its tests, where nothing else says it. */
export const testingCommand = (commands: string[]): string | undefined =>
  commands.find((command) => TESTING.test(command));

function commandsOf(text: string | undefined): string[] {
  const workflow = Workflow.safeParse(parsed(text ?? ''));
  if (!workflow.success) return [];
  const steps = Object.values(workflow.data.jobs).flatMap((job) => job.steps ?? []);
  return steps.flatMap((step) => (step.run ?? '').split('\n')).map((line) => line.trim().slice(0, 1_000));
}

/**
 * Aliases that grow without end and deep nesting make the parser throw, which is an answer: not a workflow. Nor is what
 * has a map as a key, which takes time without end to write out.
 */
function parsed(text: string): unknown {
  try {
    const document = parseDocument(text, { logLevel: 'silent', stringKeys: true });
    return document.errors.length > 0 ? undefined : document.toJS({ maxAliasCount: 50 });
  } catch {
    return undefined;
  }
}
