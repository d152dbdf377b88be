import { defineConfig } from 'vitest/config'

/** The examples that need other servers; `npm test` runs the rest. */
export default defineConfig({
  test: {
    include: ['test/examples/services/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 20_000,
  },
})
