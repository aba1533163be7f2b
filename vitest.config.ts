import { readdirSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { isRest, tagsFilter } from './test/amount.ts'
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
    const longest = ['docs/docs', 'waist/resume', 'online/hunts', 'online/faults', 'browser/pages']
    const rank = ({ project, moduleId }: TestSpecification): number => {
      if (project.name === 'computing') return -2
      if (project.name === 'commanding') return -1
      return longest.some((name) => moduleId.endsWith(`/${name}.test.ts`)) ? 0 : 1
    }
    return (await super.sort(files)).toSorted((left, right) => rank(left) - rank(right))
  }
}

/** Files with tests that `npm test` leaves out or cuts are all that is loaded where only these are run. */
const files = readdirSync(fileURLToPath(new URL('test', import.meta.url)), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.test.ts'))
  .map((name) => join('test', name).split(sep).join('/'))
  .filter((path) => !isRest || isTagged(readFileSync(new URL(path, import.meta.url), 'utf8')))

function isTagged(text: string): boolean {
  return /@module-tag|\b(?:cut|long|longIf)\b.*amount\.ts'/.test(text)
}

/** Tests that compute and nothing more, and those that run the command, leave modules as they were; all others get fresh ones. */
const computing = files.filter((path) => /^test\/(?:agreement|corpus|histories|replay|unit)\//.test(path))
const commanding = files.filter((path) => path.startsWith('test/cli/'))
const acting = files.filter((path) => !computing.includes(path) && !commanding.includes(path))

/** The sources stay loaded, and compiled, from file to file. */
const kept = { isolate: false, setupFiles: ['test/fresh.ts'] }

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
    tags: [
      { name: 'long', description: 'Takes a second or more, and is left out of npm test.' },
      { name: 'cut', description: 'Generates less in npm test than for a change.' },
    ],
    ...(tagsFilter === undefined ? {} : { tagsFilter }),
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
          ...kept,
          typecheck: {
            enabled: !isRest,
            include: ['test/**/*.test-d.ts'],
            // Errors outside type tests are the business of `npm run typecheck`.
            ignoreSourceErrors: true,
          },
        },
      },
      { extends: true, test: { name: 'commanding', include: commanding, ...kept } },
      { extends: true, test: { name: 'acting', include: acting } },
    ],
  },
})
