import { expect, test } from 'vitest';
import { rootlessUser } from '#src/sandbox/rootless-users.ts';

const files = {
  passwd: 'root:x:0:0:root:/root:/bin/bash\nbot:x:1001:1001::/home/bot:/bin/bash\n',
  subuid: 'other:100000:65536\nbot:165536:65536\n1003:900000:65536\n',
};

test("a rootless engine's root is its own user, and the other users of containers follow what subuid gives to that one", () => {
  expect(rootlessUser(0, 1001, files)).toBe(1001);
  expect(rootlessUser(1, 1001, files)).toBe(165_536);
  expect(rootlessUser(65_534, 1001, files)).toBe(165_536 + 65_533);
  expect(rootlessUser(65_534, 1003, files)).toBe(900_000 + 65_533);
});

test('a user beyond the numbers that were given, or an owner who has none, is nobody known', () => {
  expect(rootlessUser(65_537, 1001, files)).toBeUndefined();
  expect(rootlessUser(65_534, 0, files)).toBeUndefined();
});
