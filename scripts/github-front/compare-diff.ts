import { type ApiAnswer, type ApiRequest, type FrontState, folderOf } from './front-state.ts';
import { git } from './git-objects.ts';

/** GitHub gives a comparison as a diff to whoever accepts that; the emulator knows JSON only. */
export async function compareAsDiff(
  state: FrontState,
  request: ApiRequest,
  answer: ApiAnswer,
  [name = '', range = '']: string[],
): Promise<ApiAnswer> {
  if (!/\bdiff\b/.test(request.headers['accept'] ?? '') || answer.status !== 200) return answer;
  const diff = await git(folderOf(state, name), ['diff', '--full-index', range, '--']);
  return {
    status: 200,
    headers: { 'content-type': 'application/vnd.github.diff; charset=utf-8' },
    body: Buffer.from(diff),
  };
}
