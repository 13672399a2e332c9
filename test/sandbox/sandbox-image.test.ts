import { expect, test } from 'vitest';
import { defaultRunSettings } from '../../src/domain/default-settings.ts';
import { SANDBOX_IMAGE } from '../../src/sandbox/sandbox-image.ts';

test('a run uses the image that is provided when nobody asks for another', () => {
  expect(defaultRunSettings('any').sandboxImage).toBe(SANDBOX_IMAGE);
});
