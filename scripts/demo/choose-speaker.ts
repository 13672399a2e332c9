import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { loadConfig, readVariables } from '../../src/config.ts';
import { InputError } from '../../src/domain/errors.ts';
import { readRecording } from '../../src/model/recording.ts';
import type { DemoOptions } from './demo-options.ts';

export const RECORDING = join(import.meta.dirname, '../../examples/recordings/ledgerline.jsonl');

type Variables = Record<string, string>;

/** Who speaks in the demonstration, and the variables that tell Fathom so. */
export interface Speaker {
  recorded: boolean;
  model: string;
  /** In words, for people. */
  about: string;
  /** Something that the user may have meant otherwise. */
  notice?: string;
  variables: Variables;
}

/** Settings of the user's own that hold for the demonstration as well when their model speaks. */
const OWN =
  /^(OPENAI_(API_KEY|BASE_URL)|FATHOM_(API|MODEL|[A-Z]+_MODEL|REASONING_EFFORT|PROTOCOL|QUESTIONS|FINDINGS|VERIFIER|BUDGET_\w+|[A-Z]+_SECONDS|PRICE_\w+))$/;

/** Somebody may be typing the replies: nothing that waits for a model gives up in a day. */
const PATIENT = { FATHOM_RUN_SECONDS: '86400', FATHOM_AGENT_SECONDS: '86400', FATHOM_CALL_SECONDS: '43200' };

/**
 * The model of the environment or `.env` where key and name are there, else the recording; `play` wants a recording
 * whatever is configured, `record` a model and a new file. @throws InputError
 */
export function chooseSpeaker(
  { record, play }: Pick<DemoOptions, 'record' | 'play'>,
  folder?: string,
  environment?: NodeJS.Dict<string>,
): Speaker {
  if (play !== undefined) return recordedSpeaker(resolve(play));
  const { variables } = readVariables(folder, environment);
  const own = Object.fromEntries(Object.entries(variables).filter(([name]) => OWN.test(name))) as Variables;
  if (record !== undefined) return recordingSpeaker(resolve(record), own);
  const { OPENAI_API_KEY: key, FATHOM_MODEL: model } = own;
  if (key !== undefined && model !== undefined) return liveSpeaker(own);
  const speaker = recordedSpeaker(RECORDING);
  if (key === undefined && model === undefined) return speaker;
  const set = key === undefined ? 'FATHOM_MODEL' : 'OPENAI_API_KEY';
  const notice = `${set} is set; set OPENAI_API_KEY and FATHOM_MODEL both to see a model of yours work instead.`;
  return { ...speaker, notice };
}

function liveSpeaker(own: Variables): Speaker {
  // Speaks up now about whatever is wrong with the settings, and not in a child's log.
  loadConfig({}, '/', own);
  const model = own['FATHOM_MODEL'] ?? '';
  const address = own['OPENAI_BASE_URL'] ?? 'https://api.openai.com/v1';
  return { recorded: false, model, about: `${model} at ${address}`, variables: own };
}

function recordingSpeaker(file: string, own: Variables): Speaker {
  if (existsSync(file) && readFileSync(file, 'utf8').trim() !== '') {
    const remedy = 'Remove it, or name another file.';
    throw new InputError([{ source: '--record', message: `${file} holds a recording already`, remedy }]);
  }
  mkdirSync(dirname(file), { recursive: true });
  const live = liveSpeaker({ FATHOM_RECORD: file, ...PATIENT, ...own });
  return { ...live, about: `${live.about}, recorded to ${file}` };
}

function recordedSpeaker(file: string): Speaker {
  if (!existsSync(file)) {
    const remedy = 'Set OPENAI_API_KEY and FATHOM_MODEL (and OPENAI_BASE_URL) to see a model of yours work.';
    throw new InputError([{ source: file, message: 'is missing: there is no recording to play', remedy }]);
  }
  const models = new Set(readRecording(readFileSync(file, 'utf8').split('\n')).map((call) => call.model));
  const model = [...models].find((name) => name !== undefined) ?? 'unnamed';
  return {
    recorded: true,
    model,
    about: `a recorded run of ${model}: its replies are played back, all else happens here and now`,
    variables: { FATHOM_PLAYBACK: file, FATHOM_MODEL: model },
  };
}
