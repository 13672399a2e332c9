import { describe, expect, it } from 'vitest';
import type { ChangedFile, Resolution } from '#src/domain/patch.ts';
import { nothingToPropose } from '#src/pipeline/nothing-to-propose.ts';

const file = (path: string, kind: ChangedFile['kind']): ChangedFile => ({
  path,
  kind,
  status: 'modified',
  added: 1,
  removed: 0,
  binary: false,
});
const resolution = (more: Partial<Resolution>, left: ChangedFile[] = []): Resolution => ({
  patch: { base: 'a', diff: '', files: [], left, notes: [] },
  end: 'submitted',
  recovered: false,
  ...more,
});

describe('where nothing was changed, the reason', () => {
  it('is the Resolver’s own, where it gives one', () => {
    const report = { summary: 'Nothing.', noChangeReason: 'It is meant so.' };
    expect(nothingToPropose(resolution({ report }, [file('x.lock', 'protected')]))).toBe('It is meant so.');
  });

  it('names protected files, where only those were changed', () => {
    const left = [file('uv.lock', 'protected'), file('out.log', 'scratch')];
    expect(nothingToPropose(resolution({ report: { summary: 'Fixed.' } }, left))).toBe(
      'Only protected files were changed, which a person has to do: `uv.lock`.',
    );
  });

  it('is not what the Resolver claims to have done', () => {
    const said = nothingToPropose(resolution({ report: { summary: 'Fixed it.' } }, [file('out.log', 'scratch')]));
    expect(said).toBe('Nothing was changed, although the Resolver says: Fixed it.');
  });

  it('is how the Resolver ended, where it says nothing', () => {
    expect(nothingToPropose(resolution({ end: 'step-limit', recovered: true }))).toContain('step-limit');
  });
});
