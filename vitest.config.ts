import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/servers/**', 'test/examples/services/**', 'test/security/long/**'],
    testTimeout: 20_000,
    hookTimeout: 20_000,
    coverage: { provider: 'v8', include: ['src/**'] },
  },
})
