import { parseArgs } from 'node:util';

export interface Options {
  data: string;
  repos: string;
  /** Where features are kept between calls; read when it is there. */
  features?: string;
  /** Prints the weights that all repositories together give. */
  fit: boolean;
}

export const USAGE = `npm run eval:ranker -- --data FILE --repos DIR [--features FILE] [--fit]

  --data      JSON lines of a SWE-bench data set
  --repos     one clone per repository: DIR/owner+name or DIR/owner+name/repo, with a work tree or bare
  --features  keep what was computed in FILE, and use FILE when it is there
  --fit       also print the weights that all repositories together give
`;

/** The options, or undefined when they do not say enough. @throws TypeError for an unknown option */
export function readOptions(args: string[]): Options | undefined {
  const { values } = parseArgs({
    args,
    options: {
      data: { type: 'string' },
      repos: { type: 'string' },
      features: { type: 'string' },
      fit: { type: 'boolean', default: false },
    },
  });
  if (values.data === undefined || values.repos === undefined) return undefined;
  return {
    data: values.data,
    repos: values.repos,
    fit: values.fit,
    ...(values.features === undefined ? {} : { features: values.features }),
  };
}
