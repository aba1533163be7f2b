import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const source = (path: string): string => fileURLToPath(new URL(`./src/${path}`, import.meta.url))

export default defineConfig({
  resolve: {
    alias: [
      { find: /^allways$/, replacement: source('index.ts') },
      { find: /^allways\/access$/, replacement: source('semantics/memory/access.ts') },
      { find: /^allways\/coroutine$/, replacement: source('model/coroutine.ts') },
      { find: /^allways\/engine$/, replacement: source('engines/engine.ts') },
      { find: /^allways\/sync$/, replacement: source('model/sync/sync.ts') },
    ],
  },
  test: {
    include: ['test/**/*.test.ts'],
    // Tests that start the command, or a plain `node` that imports the package, see the sources as they are now.
    globalSetup: ['scripts/build.mjs'],
    // Threads start faster than processes, and every file still gets fresh modules.
    pool: 'threads',
    maxWorkers: 2,
    testTimeout: 20_000,
    hookTimeout: 20_000,
    // A test left with `.only` would silently switch the others off.
    allowOnly: false,
    typecheck: {
      enabled: true,
      include: ['test/**/*.test-d.ts'],
      // Errors outside type tests are the business of `npm run typecheck`.
      ignoreSourceErrors: true,
    },
  },
})
