import fc from 'fast-check';

/** Texts made of these pieces and of anything else, in any order. */
export function pieces(known: string[], most: number): fc.Arbitrary<string> {
  const piece = fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(...known) },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 20 }) },
    {
      weight: 1,
      arbitrary: fc.tuple(fc.constantFrom(...known), fc.nat(300)).map(([text, times]) => text.repeat(times)),
    },
  );
  return fc.array(piece, { maxLength: most }).map((parts) => parts.join(''));
}

const strange: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(null, -1, 0, '', [], {}, true, 1e308, '__proto__', '\ud800', '\u0000', 'x'.repeat(70_000)),
  fc.jsonValue(),
);

/** The value with some of its parts gone or replaced by something else. */
export function bent(value: unknown): fc.Arbitrary<unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return mostly(fc.constant(value));
  const parts = Object.entries(value).map(([key, part]) => [key, fc.option(bent(part), { nil: undefined, freq: 12 })]);
  return mostly(fc.record(Object.fromEntries(parts)));
}

const mostly = (arbitrary: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 12, arbitrary }, { weight: 1, arbitrary: strange });
