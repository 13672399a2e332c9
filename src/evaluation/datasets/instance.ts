import { z } from 'zod';

/** Test names as SWE-bench writes them: a list, or a list as JSON text. */
const TestNames = z.union([z.array(z.string()), z.string()]).transform((value, context) => {
  if (typeof value !== 'string') return value;
  try {
    return z.array(z.string()).parse(value.trim() === '' ? [] : JSON.parse(value));
  } catch {
    context.addIssue({ code: 'custom', message: 'is no list of test names' });
    return z.NEVER;
  }
});

/**
 * One line of a SWE-bench data set (Lite, Verified, Multilingual and alike), or of a backtest: an issue, the commit
 * before its fix, and the fix. Fields that are not named here are not read; hints (comments that may tell the fix) are
 * among them on purpose.
 */
export const Instance = z.object({
  instance_id: z.string().regex(/^[A-Za-z0-9][\w.-]{0,199}$/, 'is no name for an instance'),
  repo: z.string().regex(/^[A-Za-z0-9][\w.-]*\/[A-Za-z0-9_.][\w.-]*$/, 'is no owner/name'),
  base_commit: z.string().regex(/^[0-9a-f]{7,64}$/, 'is no commit'),
  /** Title on the first line, then the body. */
  problem_statement: z.string().min(1),
  /** The fix without tests, as a unified diff. */
  patch: z.string().min(1),
  test_patch: z.string().optional(),
  FAIL_TO_PASS: TestNames.optional(),
  PASS_TO_PASS: TestNames.optional(),
  /** How its tests are run and where; beyond SWE-bench's own fields. */
  test_command: z.string().optional(),
  setup_command: z.string().optional(),
  image: z.string().optional(),
});
export type Instance = z.infer<typeof Instance>;
