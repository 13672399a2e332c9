import { quoted } from './test-plan.ts';

const MOST_TESTS = 30;
const MOST_CHARACTERS = 6_000;

/**
 * The command that runs only these tests of a suite that `command` runs; undefined where the framework cannot be told so,
 * or where there are too many: then the whole suite has to be run again.
 */
export function rerunCommand(command: string, framework: string | undefined, tests: string[]): string | undefined {
  if (tests.length === 0 || tests.length > MOST_TESTS) return undefined;
  const rerun = RERUNS[framework ?? '']?.(command, tests);
  return rerun !== undefined && rerun.length <= MOST_CHARACTERS ? rerun : undefined;
}

/** Only for commands that hand further words on to the framework. */
const RERUNS: Record<string, (command: string, tests: string[]) => string | undefined> = {
  pytest: (command, tests) => {
    const isPlain = /^(?:\w+=\S+ )?(?:python3? -m )?pytest(?: -\S+)*$/.test(command);
    return isPlain && tests.every((test) => test.includes('.py')) ? `${command} ${words(tests)}` : undefined;
  },
  unittest: (command, tests) => {
    const names = tests.map((test) => /^\w+ \(([\w.]+)\)$/.exec(test)?.[1]);
    const start = /^((?:\w+=\S+ )?python3? -m unittest)(?: discover)?$/.exec(command)?.[1];
    return start !== undefined && names.every((name) => name !== undefined && !name.includes('_FailedTest'))
      ? `${start} ${names.join(' ')}`
      : undefined;
  },
  go: (command, tests) => {
    const names = tests.map((test) => test.split('/', 1)[0] ?? test);
    const isPlain = command === 'go test ./...' && names.every((name) => /^\w+$/.test(name));
    return isPlain ? `go test -count=1 -run ${quoted(`^(${[...new Set(names)].join('|')})$`)} ./...` : undefined;
  },
  rspec: (command, tests) => (/^(?:bundle exec )?rspec$/.test(command) ? `${command} ${words(tests)}` : undefined),
};

const words = (tests: string[]): string => tests.map(quoted).join(' ');
