/** What is said of a suite of P programs in the layout of P's own, of which some are as expected and others are not. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execPath } from 'node:process'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { long } from '../amount.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const suite = join(root, 'test/cli/fixtures/conformance')
const folder = mkdtempSync(join(tmpdir(), 'conformance-test-'))

afterAll(() => rmSync(folder, { recursive: true, force: true }))

function conformance(...args: readonly string[]) {
  const argv = [join(root, 'scripts/conformance.mjs'), ...args]
  return spawnSync(execPath, argv, { cwd: folder, encoding: 'utf8' })
}

test('a table, every difference, and what is not known; nothing is left behind', () => {
  const { status, stdout } = conformance('--suite', suite, '--time', '1s')
  const [table = '', rest = ''] = stdout.split('\n\n')
  expect(table.split('\n').map((line) => line.split(/\s{2,}/))).toEqual([
    ['feature', 'Correct', 'DynamicError', 'StaticError'],
    ['Data', '3 of 4', '4 of 4', '1 of 2'],
    ['Feature5ModuleSystem', '0 of 1'],
    ['Liveness', '1 of 1'],
  ])
  const lines = rest
    .replaceAll(suite, '')
    .replace(/in [\d,]+ states so far/, 'in n states so far')
    .replace(/none in \d+ executions/, 'none in n executions')
    .split('\n')
  expect(lines).toEqual([
    '9 of 12 as expected; refused without a place: 0',
    'kind of error: 3 of 4 as their names and comments tell it; 1 do not tell',
    '  Data/Correct/Wrong: expected holds, violated (assertion): Assertion Failed: /Data/Correct/Wrong/wrong.p:4:7',
    '  Data/DynamicError/OtherKind: expected violated (unhandled event), violated (assertion): Assertion Failed: /Data/DynamicError/OtherKind/other.p:5:7',
    '  Data/StaticError/Accepted: expected refused, accepted: DefaultImpl',
    expect.stringMatching(
      /^ {2}Feature5ModuleSystem\/Correct\/OSR: expected holds, .* \(known: handlers of outer states/,
    ),
    expect.stringMatching(
      /^ {2}Data\/Correct\/Endless: as expected as far as it was looked at: no violation in n states so far, .*; none in n executions at random, of at most 1,000 steps$/,
    ),
    '',
  ])
  expect(status).toBe(1)
  expect(readdirSync(folder)).toEqual([])
})

test('what is as expected, or known not to be, is no failure', long, () => {
  for (const only of ['Feature5ModuleSystem', 'Params']) {
    const { status, stdout } = conformance('--suite', suite, '--only', only, '--json')
    expect(
      stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toHaveLength(1)
    expect(status).toBe(0)
  }
})

test('a suite that is not there, and one without such programs', () => {
  expect(conformance('--suite', 'nowhere')).toMatchObject({ status: 2, stderr: 'there is no folder nowhere\n' })
  expect(conformance('--suite', suite, '--only', 'x!')).toMatchObject({
    status: 2,
    stderr: `there are no programs in ${suite} with "x!"\n`,
  })
})
