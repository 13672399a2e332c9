import { parseArgs } from 'node:util';

export interface DemoOptions {
  /** Leave GitHub and Fathom up until Ctrl-C. */
  keep: boolean;
  /** A file for a new recording of the configured model. */
  record: string | undefined;
  /** A recording to play, whatever model is configured. */
  play: string | undefined;
  /** Where what was posted is kept, as files. */
  out: string;
}

export const usage = `npm run demo [-- options]: from a label to a pull request, on this machine

  --keep          leave GitHub and Fathom up to look at, until Ctrl-C
  --record FILE   record the run with the configured model (OPENAI_API_KEY, OPENAI_BASE_URL, FATHOM_MODEL)
  --play FILE     play this recording, whatever model is configured
  --out FOLDER    where comment, pull request, diff and log are kept (default: .fathom/demo)
`;

/** The options, or undefined where help is wanted or something is misspelled: then `usage` is the answer. */
export function readDemoOptions(args: string[]): DemoOptions | undefined {
  try {
    const { values } = parseArgs({
      args,
      options: {
        keep: { type: 'boolean', default: false },
        record: { type: 'string' },
        play: { type: 'string' },
        out: { type: 'string', default: '.fathom/demo' },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
    if (values.help || (values.record !== undefined && values.play !== undefined)) return undefined;
    return { keep: values.keep, record: values.record, play: values.play, out: values.out };
  } catch {
    return undefined;
  }
}
