/** Every class of the corpus with a known race: `--fix` writes a patch with which its client verifies, or nothing, and says why. */
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { loadObjects } from '../../src/check/objects/load.ts'
import { longIf } from '../amount.ts'
import { allways } from '../cli/harness.ts'
import { readClasses } from './class-entries.ts'

const folder = mkdtempSync(join(tmpdir(), 'allways-corpus-fix-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Rows of these are large: they are for a release. */
const slow = new Set(['afek-stack', 'avl-map', 'optimistic-list', 'cas-tree'])

/** Those for which a patch is found. */
const repaired = new Set([...slow, 'connection-pool', 'lru-cache', 'michael-scott-queue', 'rate-limiter'])

/** Those that no lock can repair without changing what callers see, or that a lock is not known to: with the reason told. */
const unrepaired: Readonly<Record<string, string>> = {
  // The lines are in a method that a locked one calls, and a lock cannot be taken twice.
  'coarse-map': 'which cannot be taken twice',
  // Others that touch the same fields are synchronous: they would have to give promises.
  'job-queue': 'are synchronous: a lock excludes only methods that take it',
  // It calls two methods of its base, which lock each by itself.
  'lock-striped-map': 'still fails',
  // It waits for a lock of its own between these lines.
  'rw-list': 'still fails',
}

const cases = readClasses().flatMap(({ name, rows }) => {
  const [row] = rows.filter(({ outcomes }) => outcomes.other > 0)
  return row === undefined ? [] : [{ name, row }]
})

describe('a patch for', () => {
  for (const [at, { name, row }] of cases.entries()) {
    test(`${name} ${row.id} verifies, or is not written`, {
      timeout: 600_000,
      ...longIf(at % 4 > 0 || slow.has(name), at % 4 > 0 || slow.has(name)),
    }, async () => {
      const copy = join(folder, name)
      cpSync(join('corpus', name), copy, { recursive: true })
      const file = join(copy, 'model.check.ts')
      const loaded = await loadObjects(file)
      const found = loaded.ok ? loaded.value.programs.find(({ exportName }) => exportName === row.program) : undefined
      const before = sourcesIn(copy)
      // Other tests are in the same process, and what they take must not end these.
      const room = ['--memory', '64gb']
      const asked = ['linearize', file, '-t', found?.program.name ?? '', '--client', row.client, ...room]
      const criterion = row.options.criterion === undefined ? [] : ['--criterion', row.options.criterion]
      const { code, stderr } = await allways([...asked, ...criterion, '--fix'])
      const isWritten = stderr.includes('with the patch, the only client verifies')
      expect(isWritten).toBe(repaired.has(name))
      expect(stderr.replaceAll(/\s+/g, ' ')).toContain(unrepaired[name] ?? 'with the patch, ')
      expect([code, sourcesIn(copy) === before, stderr.includes('E305')]).toEqual(
        isWritten ? [1, false, false] : [2, true, true],
      )
      expect((await allways([...asked, ...criterion, '--no-causes'])).code).toBe(isWritten ? 0 : 1)
    })
  }
})

/** Of the classes that tests of the command line use, each that fails, and whether a patch is found. */
describe('a patch for the class of', () => {
  const failing: readonly (readonly [file: string, isRepaired: boolean])[] = [
    ['counter.ts', true],
    ['ids.ts', true],
    ['seats.ts', true],
    ['stack.ts', true],
    // Deadlocks, and results that no order of the calls explains: no lines are to blame.
    ['forks.ts', false],
    ['ahead.check.ts', false],
  ]
  for (const [at, [name, isRepaired]] of failing.entries()) {
    test(`${name} verifies, or is not written`, longIf(at > 0, at > 0), async () => {
      const copy = join(folder, `fixture-${at}`)
      cpSync(join('test', 'cli', 'fixtures', 'objects'), copy, { recursive: true })
      const file = join(copy, name)
      const before = sourcesIn(copy)
      const { code, stderr } = await allways(['linearize', file, '--memory', '64gb', '--fix'])
      expect([code, stderr.includes('patched'), sourcesIn(copy) !== before]).toEqual([
        isRepaired ? 1 : 2,
        isRepaired,
        isRepaired,
      ])
      const again = await allways(['linearize', file, '--memory', '64gb', '--no-causes'])
      expect(again.code).toBe(isRepaired ? 0 : 1)
    })
  }
})

function sourcesIn(path: string): string {
  const files = readdirSync(path).filter((name) => name.endsWith('.ts'))
  return files.map((name) => readFileSync(join(path, name), 'utf8')).join('\n')
}
