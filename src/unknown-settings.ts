import { Environment as AccessEnvironment } from './access-config.ts';
import { Environment as RunEnvironment } from './config.ts';
import { editDistance, nearestName } from './domain/nearest-name.ts';
import { Environment as AppEnvironment } from './github-app-config.ts';
import { Environment as LimitsEnvironment, SandboxEnvironment } from './operator-limits.ts';
import { Environment as ServerEnvironment } from './server-config.ts';

/** Read by compose.yaml, and by the tests. */
const elsewhere = ['FATHOM_BASE', 'FATHOM_FUZZ_SECONDS'];

const settings: string[] = [
  ...[
    RunEnvironment,
    AppEnvironment,
    ServerEnvironment,
    AccessEnvironment,
    LimitsEnvironment,
    SandboxEnvironment,
  ].flatMap(({ shape }) => Object.keys(shape)),
  ...elsewhere,
];
const known = settings.filter((name) => name.startsWith('FATHOM_'));
/** Names that others use too. Short ones are near to too much. */
const shared = settings.filter((name) => !name.startsWith('FATHOM_') && name.length >= 10);

/**
 * A sentence for each variable that begins like a setting of Fathom and is none, and for each that is another setting's
 * name but for two letters while that one is not set: a mistyped OPENAI_BASE_URL would send code elsewhere. It may be
 * somebody else's, so that it is no error.
 */
export function unknownSettings(variables: NodeJS.Dict<string>): string[] {
  return Object.keys(variables).flatMap((name) => {
    if (settings.includes(name)) return [];
    if (name.toUpperCase().startsWith('FATHOM_')) return [sentence(name, nearestAmong(name))];
    const meant = shared.find((one) => variables[one] === undefined && isMistyped(name, one));
    return meant === undefined ? [] : [sentence(name, meant)];
  });
}

function sentence(name: string, near: string | undefined): string {
  const shown = name.slice(0, 60).replace(/[^\w]/g, '?');
  return `${shown} is no setting of Fathom and changes nothing.${near === undefined ? '' : ` Did you mean ${near}?`}`;
}

const isMistyped = (name: string, meant: string): boolean =>
  Math.abs(name.length - meant.length) <= 2 && editDistance(name.toUpperCase(), meant) <= 2;

/** All of them begin alike, which must not make them near each other. */
function nearestAmong(name: string): string | undefined {
  const prefix = 'FATHOM_';
  const own = (full: string) => full.slice(prefix.length).toLowerCase();
  const near = nearestName(own(name), known.map(own));
  return near === undefined ? undefined : `${prefix}${near.toUpperCase()}`;
}
