import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { nativeSources } from './test/native.ts'

const source = (path: string): string => fileURLToPath(new URL(`./src/${path}`, import.meta.url))

const modules = {
  allways: source('index.ts'),
  'allways/access': source('semantics/memory/access.ts'),
  'allways/coroutine': source('model/coroutine.ts'),
  'allways/engine': source('engines/engine.ts'),
  'allways/sync': source('model/sync/sync.ts'),
}

/** Files of one project one after the other, because a thread is kept only for the next file; then whatever takes longest. */
class ByProject extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const longest = ['docs/docs', 'waist/resume', 'online/hunts', 'online/faults', 'browser/pages', 'cli/linearize']
    const rank = ({ project, moduleId }: TestSpecification): number => {
      if (project.name === 'computing') return -1
      return longest.some((name) => moduleId.endsWith(`/${name}.test.ts`)) ? 0 : 1
    }
    return (await super.sort(files)).toSorted((left, right) => rank(left) - rank(right))
  }
}

/** Tests that compute and nothing more; those that start processes, open sockets or run the command get fresh modules. */
const computing = ['test/{agreement,corpus,histories,replay,unit}/**/*.test.ts']

export default defineConfig({
  plugins: [nativeSources(modules)],
  resolve: {
    alias: Object.entries(modules).map(([name, path]) => ({ find: new RegExp(`^${name}$`), replacement: path })),
  },
  test: {
    // Tests that start the command, or a plain `node` that imports the package, see the sources as they are now.
    globalSetup: ['scripts/build.mjs', 'test/native.ts'],
    // Threads start faster than processes.
    pool: 'threads',
    maxWorkers: 2,
    sequence: { sequencer: ByProject },
    // For tests that hang: a timing is never a test, and machines may be slow.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // A test left with `.only` would silently switch the others off.
    allowOnly: false,
    projects: [
      {
        extends: true,
        test: {
          name: 'computing',
          include: computing,
          // The sources stay loaded, and compiled, from file to file.
          isolate: false,
          setupFiles: ['test/fresh.ts'],
          typecheck: {
            enabled: true,
            include: ['test/**/*.test-d.ts'],
            // Errors outside type tests are the business of `npm run typecheck`.
            ignoreSourceErrors: true,
          },
        },
      },
      { extends: true, test: { name: 'acting', include: ['test/**/*.test.ts'], exclude: computing } },
    ],
  },
})
