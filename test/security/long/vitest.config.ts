import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/security/long/**/*.long.test.ts'],
    testTimeout: 600_000,
    hookTimeout: 20_000,
  },
})
