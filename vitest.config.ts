import { defineConfig } from 'vitest/config';

// `unit` needs nothing but this checkout. `engine` needs a Docker Engine; scripts/test.ts provides one.
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: ['test/**/*.engine.test.ts'],
          testTimeout: 20_000,
        },
      },
      {
        test: {
          name: 'engine',
          include: ['test/**/*.engine.test.ts'],
          testTimeout: 180_000,
          hookTimeout: 180_000,
          fileParallelism: false,
        },
      },
    ],
  },
});
