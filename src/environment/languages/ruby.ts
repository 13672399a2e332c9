import { havingProgram } from '../debian-packages.ts';
import { type LanguagePlan, quoted } from '../test-plan.ts';
import type { TreeFiles } from '../tree-files.ts';

const RUBY = havingProgram('bundle', 'ruby ruby-dev bundler rake ruby-minitest ruby-test-unit ruby-rspec');

/** Ruby: bundler, with gems that the image already has before those of a registry. */
export async function rubyPlan(files: TreeFiles, names: Set<string>): Promise<LanguagePlan[]> {
  if (!names.has('Gemfile')) return [];
  const rspec = names.has('spec') || (await files.read('Gemfile'))?.includes('rspec') === true;
  return [
    {
      language: 'ruby',
      test: rspec ? 'bundle exec rspec' : 'bundle exec rake test',
      single: (file) => (rspec ? `bundle exec rspec ${quoted(file)}` : `bundle exec ruby -Itest -Ilib ${quoted(file)}`),
      setup: `${RUBY} && { bundle install --local --quiet 2>/dev/null || bundle install; }`,
      sources: [`There is a Gemfile, and ${rspec ? 'specs' : 'no specs'}.`],
      confidence: 'declared',
      runners: ['rspec', 'rake test', 'rake'],
    },
  ];
}
