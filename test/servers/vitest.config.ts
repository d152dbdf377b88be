import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/servers/**/*.test.ts'],
    // Most of the time goes into waiting for servers; Vitest by itself leaves a core free.
    maxWorkers: 2,
    testTimeout: 20_000,
    hookTimeout: 20_000,
  },
})
