import { Environment as AccessEnvironment } from './access-config.ts';
import { Environment as RunEnvironment } from './config.ts';
import { nearestName } from './domain/nearest-name.ts';
import { Environment as LimitsEnvironment, SandboxEnvironment } from './operator-limits.ts';
import { Environment as ServerEnvironment } from './server-config.ts';

/** Read by compose.yaml, and by the tests. */
const elsewhere = ['FATHOM_BASE', 'FATHOM_FUZZ_SECONDS'];

const known: string[] = [
  ...[RunEnvironment, ServerEnvironment, AccessEnvironment, LimitsEnvironment, SandboxEnvironment].flatMap(
    ({ shape }) => Object.keys(shape),
  ),
  ...elsewhere,
].filter((name) => name.startsWith('FATHOM_'));

/**
 * A sentence for each variable that begins like a setting of Fathom and is none, with the name that was probably meant.
 * It may be somebody else's, so that it is no error.
 */
export function unknownSettings(variables: NodeJS.Dict<string>): string[] {
  return Object.keys(variables)
    .filter((name) => name.toUpperCase().startsWith('FATHOM_') && !known.includes(name))
    .map((name) => {
      const shown = name.slice(0, 60).replace(/[^\w]/g, '?');
      const near = nearestAmong(name);
      return `${shown} is no setting of Fathom and changes nothing.${near === undefined ? '' : ` Did you mean ${near}?`}`;
    });
}

/** All of them begin alike, which must not make them near each other. */
function nearestAmong(name: string): string | undefined {
  const prefix = 'FATHOM_';
  const own = (full: string) => full.slice(prefix.length).toLowerCase();
  const near = nearestName(own(name), known.map(own));
  return near === undefined ? undefined : `${prefix}${near.toUpperCase()}`;
}
