import { z } from 'zod';
import { KEPT_FOLDERS } from '../container-variables.ts';
import { havingProgram } from '../debian-packages.ts';
import { type LanguagePlan, quoted } from '../test-plan.ts';
import type { TreeFiles } from '../tree-files.ts';

const Composer = z.object({
  require: z.record(z.string(), z.unknown()).optional().catch(undefined),
  'require-dev': z.record(z.string(), z.unknown()).optional().catch(undefined),
});

const PHP = havingProgram('php', 'php-cli php-xml php-mbstring');
const COMPOSER = havingProgram('composer', 'composer');
const PHPUNIT = havingProgram('phpunit', 'phpunit');
/** Composer's loader finds the project beside the folder that it is in, so that has to be in the checkout. */
const VENDOR = `{ [ -e vendor ] || [ ! -d ${KEPT_FOLDERS}/vendor ] || cp -R ${KEPT_FOLDERS}/vendor vendor; }`;

/** PHP: composer's packages, and Debian's PHPUnit where the project brings none. */
export async function phpPlan(files: TreeFiles, names: Set<string>): Promise<LanguagePlan[]> {
  if (!names.has('composer.json')) return [];
  const manifest = Composer.safeParse(parsed(await files.read('composer.json')));
  const needed = Object.keys({ ...manifest.data?.require, ...manifest.data?.['require-dev'] });
  const packages = needed.filter((name) => name.includes('/') && name !== 'phpunit/phpunit');
  // Without other packages the loader is all that is needed, and that takes no registry.
  const own = packages.length > 0 || names.has('composer.lock');
  const phpunit = own ? 'vendor/bin/phpunit' : 'phpunit';
  const install = own ? 'composer install --no-interaction' : `${PHPUNIT} && composer dump-autoload --quiet`;
  return [
    {
      language: 'php',
      test: `${VENDOR} && ${phpunit}`,
      single: (file) => `${VENDOR} && ${phpunit} ${quoted(file)}`,
      setup: `${PHP} && ${COMPOSER} && ${install}`,
      sources: ['There is a composer.json.'],
      confidence: 'declared',
      runners: ['phpunit', 'composer test'],
    },
  ];
}

function parsed(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return undefined;
  }
}
