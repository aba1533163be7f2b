import { readdirSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { isChange, isRest, isSlow, tagsFilter } from './test/amount.ts'
import { nativeSources } from './test/native.ts'

const source = (path: string): string => fileURLToPath(new URL(`./src/${path}`, import.meta.url))

const modules = {
  allways: source('index.ts'),
  'allways/access': source('semantics/memory/access.ts'),
  'allways/coroutine': source('model/coroutine.ts'),
  'allways/engine': source('engines/engine.ts'),
  'allways/jobs': source('jobs/lowered.ts'),
  'allways/services': source('model/services/services.ts'),
  'allways/sync': source('model/sync/sync.ts'),
}

/** What takes longest for a change begins first, so that nobody waits for it at the end. */
const longest = [
  'agreement/p/agreement',
  'agreement/p/reduced',
  'agreement/p/views',
  'agreement/objects',
  'cli/injection-files',
  'cli/injection-names',
  'corpus/corpus',
  'docs/docs',
  'online/faults',
  'online/hunts',
  'replay/corpus',
  'unit/properties/linearizability/agreement',
]

/**
 * Files of one project one after the other, because a thread is kept only for the next file. Those that wait for processes,
 * connections and browsers are spread over all that compute, so that no core is without work.
 */
class Mixed extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const ranks = new Map<TestSpecification, number>()
    const rank = (part: readonly TestSpecification[], first: number): void => {
      for (const [at, one] of part.entries()) ranks.set(one, first + at / part.length)
    }
    const parts: [TestSpecification[], TestSpecification[], TestSpecification[], TestSpecification[]] = [[], [], [], []]
    for (const one of await super.sort(files)) {
      const name = one.moduleId.replace(/^.*\/test\/|\.test\.ts$/g, '')
      const part = one.project.name === 'alone' ? 0 : longest.includes(name) ? 1 : computing.test(name) ? 2 : 3
      parts[part].push(one)
    }
    const [alone, long, ...mixed] = parts
    rank(alone, 0)
    rank(long, 1)
    for (const part of mixed) rank(part, 2)
    return files.toSorted((left, right) => (ranks.get(left) as number) - (ranks.get(right) as number))
  }
}

const computing = /^(?:agreement|architecture|corpus|histories|hostile|unit)\//

/** Files with tests that `npm test` leaves out or cuts are all that is loaded where only these are run. */
const files = readdirSync(fileURLToPath(new URL('test', import.meta.url)), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.test.ts'))
  .map((name) => join('test', name).split(sep).join('/'))
  .filter((path) => !isRest || isTagged(readFileSync(new URL(path, import.meta.url), 'utf8')))

function isTagged(text: string): boolean {
  return /@module-tag|\b(?:cut|long|longIf)\b.*amount\.ts'/.test(text)
}

/**
 * Tests leave modules as they were, but for those that register an engine or keep processes and connections: these get fresh ones. So do those
 * that spend memory, because what is taken away after other tests would count for them.
 */
const alone = files.filter((path) =>
  /^test\/(?:cluster\/|online\/|runtime\/|waist\/outside\.|cli\/prove\.|unit\/check\/memory-budget\.)/.test(path),
)

const hanging = (isSlow ? 60 : 10) * 60_000

/** A number of its own would count for a project before the one on the command line. */
const asAsked = 0

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
    // One more than there are cores in the smallest machine that this is run on: some tests wait.
    maxWorkers: 3,
    sequence: { sequencer: Mixed },
    tags: [
      { name: 'long', description: 'Takes a second or more, and is left out of npm test.' },
      { name: 'release', description: 'Takes long where others say as much, and is left out for a change.' },
      { name: 'cut', description: 'Generates less in npm test than for a change.' },
    ],
    ...(tagsFilter === undefined ? {} : { tagsFilter }),
    // For tests that hang, and nothing else: a timing is never a test, and machines may be slow.
    testTimeout: hanging,
    hookTimeout: hanging,
    // A test left with `.only` would silently switch the others off.
    allowOnly: false,
    projects: [
      {
        extends: true,
        test: {
          name: 'together',
          include: files.filter((path) => !alone.includes(path)),
          maxWorkers: asAsked,
          // The sources stay loaded, and compiled, from file to file.
          isolate: false,
          setupFiles: ['test/fresh.ts'],
          typecheck: {
            // For a change all types are checked anyway.
            enabled: !isRest && !isChange,
            include: ['test/**/*.test-d.ts'],
            // All other types are the business of `npm run typecheck`.
            tsconfig: 'tsconfig.test-d.json',
            ignoreSourceErrors: true,
          },
        },
      },
      { extends: true, test: { name: 'alone', include: alone, maxWorkers: asAsked } },
    ],
  },
})
