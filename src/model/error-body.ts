import { z } from 'zod';

/** The fields of OpenAI's error object that decisions rest on. */
export interface ApiErrorFields {
  message: string;
  code?: string;
  type?: string;
  param?: string;
}

const name = z
  .union([z.string(), z.number().transform(String)])
  .optional()
  .catch(undefined);
const ErrorObject = z.object({
  message: z.unknown().optional(),
  code: name,
  type: name,
  param: name,
});
const ValidationDetail = z.object({
  detail: z.array(z.object({ loc: z.array(z.union([z.string(), z.number()])), msg: z.string().catch('') })).min(1),
});

const shownCharacters = 300;

/**
 * What a server said when it refused, whatever its dialect: OpenAI's `{error: {…}}`, the same in a list (Gemini), bare
 * (vLLM), as a string (Ollama), FastAPI's `{detail: [{loc, msg}]}` alone or as the message (Mistral), or no JSON at all.
 */
export function readErrorBody(text: string): ApiErrorFields {
  const body = parsed(text);
  const first: unknown = Array.isArray(body) ? body[0] : body;
  const inner = isRecord(first) && first['error'] !== undefined ? first['error'] : first;
  if (typeof inner === 'string') return { message: shortened(inner) };
  const fields = fromValidation(first) ?? fromErrorObject(inner);
  return { ...fields, message: fields?.message || shortened(text) };
}

function fromErrorObject(value: unknown): ApiErrorFields | undefined {
  const error = ErrorObject.safeParse(value);
  if (!error.success) return undefined;
  const { message, code, type, param } = error.data;
  const fields: ApiErrorFields = fromValidation(message) ?? { message: shortened(asText(message)) };
  return {
    ...fields,
    ...(code !== undefined && { code }),
    ...(type !== undefined && { type }),
    ...(param !== undefined && { param }),
  };
}

function fromValidation(value: unknown): ApiErrorFields | undefined {
  const problem = ValidationDetail.safeParse(value);
  const first = problem.success ? problem.data.detail[0] : undefined;
  if (first === undefined) return undefined;
  const place = first.loc.filter((step) => step !== 'body');
  return {
    message: shortened(`${place.join('.')}: ${first.msg}`),
    ...(place[0] !== undefined && { param: String(place[0]) }),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

const asText = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));

const shortened = (text: string): string => {
  const line = text
    .slice(0, 4 * shownCharacters)
    .replaceAll(/\s+/g, ' ')
    .trim();
  return line.length > shownCharacters ? `${line.slice(0, shownCharacters)}…` : line;
};
