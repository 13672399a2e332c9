import { defineConfig } from 'vitest/config';

// `unit` needs nothing but this checkout. `engine` needs a Docker Engine; scripts/test.ts provides one. `image` builds the
// server's image, which takes minutes: `npm run test:image`.
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: ['test/**/*.engine.test.ts', 'test/**/*.image.test.ts'],
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
      { test: { name: 'image', include: ['test/**/*.image.test.ts'] } },
    ],
  },
});
