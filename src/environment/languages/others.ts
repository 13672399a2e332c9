import { type LanguagePlan, quoted } from '../test-plan.ts';
import type { TreeFiles } from '../tree-files.ts';

interface Build {
  language: string;
  /** The first of these that is there tells the language. */
  files: string[];
  test: string;
  setup?: string;
  single?: (file: string) => string;
  runners: string[];
}

/** Languages whose build tool has one command for testing; the set-up fetches what has to be there without a network. */
const BUILDS: Build[] = [
  {
    language: 'go',
    files: ['go.mod'],
    test: 'go test ./...',
    setup: 'go mod download',
    single: (file) => `go test ${quoted(`./${file.includes('/') ? file.slice(0, file.lastIndexOf('/')) : '.'}`)}`,
    runners: ['go test'],
  },
  {
    language: 'rust',
    files: ['Cargo.toml'],
    test: 'cargo test --offline',
    setup: 'cargo fetch',
    runners: ['cargo test'],
  },
  {
    language: 'php',
    files: ['composer.json'],
    test: 'vendor/bin/phpunit',
    setup: 'composer install --no-interaction',
    single: (file) => `vendor/bin/phpunit ${quoted(file)}`,
    runners: ['phpunit', 'composer test'],
  },
  {
    language: 'java',
    files: ['pom.xml'],
    test: 'mvn -o -B test',
    setup: 'mvn -B dependency:go-offline',
    runners: ['mvn'],
  },
  {
    language: 'java',
    files: ['build.gradle', 'build.gradle.kts'],
    test: 'gradle --offline test',
    setup: 'gradle testClasses',
    runners: ['gradle'],
  },
];

/** Plans for the other languages, and for a Makefile with a `test` target. */
export async function otherPlans(files: TreeFiles): Promise<LanguagePlan[]> {
  const names = new Set(await files.list('.'));
  const plans = BUILDS.flatMap((build): LanguagePlan[] => {
    const file = build.files.find((name) => names.has(name));
    if (file === undefined) return [];
    const { files: _files, ...plan } = build;
    return [{ ...plan, sources: [`There is a ${file}.`], confidence: 'declared' }];
  });
  return [...plans, ...(await rubyPlan(files, names)), ...(await makePlan(files, names))];
}

async function rubyPlan(files: TreeFiles, names: Set<string>): Promise<LanguagePlan[]> {
  if (!names.has('Gemfile')) return [];
  const rspec = names.has('spec') || (await files.read('Gemfile'))?.includes('rspec') === true;
  return [
    {
      language: 'ruby',
      test: rspec ? 'bundle exec rspec' : 'bundle exec rake test',
      single: (file) => (rspec ? `bundle exec rspec ${quoted(file)}` : `bundle exec ruby -Itest ${quoted(file)}`),
      setup: 'bundle install',
      sources: [`There is a Gemfile, and ${rspec ? 'specs' : 'no specs'}.`],
      confidence: 'declared',
      runners: ['rspec', 'rake test', 'rake'],
    },
  ];
}

async function makePlan(files: TreeFiles, names: Set<string>): Promise<LanguagePlan[]> {
  const file = ['Makefile', 'makefile', 'GNUmakefile'].find((name) => names.has(name));
  const text = file === undefined ? undefined : await files.read(file);
  const target = text
    ?.split('\n')
    .find((line) => /^(?:test|check)\s*:(?!=)/.test(line))
    ?.split(':', 1)[0]
    ?.trim();
  if (target === undefined) return [];
  return [
    {
      language: 'make',
      test: `make ${target}`,
      sources: [`The ${file} has a ${target} target.`],
      confidence: 'guessed',
      runners: [`make ${target}`],
    },
  ];
}
