/** Code that a trace or a checkpoint names is not run unless it is the user's, as it was, or the user says so. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sealed } from '../../src/artifact/artifact.ts'
import { cut, long, oneIn } from '../amount.ts'
import type { Ran } from './harness.ts'

const command = fileURLToPath(new URL('../../bin/allways.mjs', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'allways-named-'))
const [project, elsewhere, ran] = [join(folder, 'project'), join(folder, 'elsewhere'), join(folder, 'ran')]

/** Says so when it is loaded. */
const source = `import { writeFileSync } from 'node:fs'
import { assert, choose, program } from 'allways'
writeFileSync(${JSON.stringify(ran)}, '')
export default program('coin', function* () {
  yield* assert(!(yield* choose([false, true])), 'tails')
})
`

beforeAll(() => {
  for (const name of [join(project, 'node_modules/coin'), elsewhere]) mkdirSync(name, { recursive: true })
  writeFileSync(join(project, 'package.json'), '{}')
  for (const name of [join(project, 'coin.check.ts'), join(project, 'node_modules/coin/coin.check.ts')])
    writeFileSync(name, source)
  writeFileSync(join(elsewhere, 'coin.check.ts'), source)
  symlinkSync(join(elsewhere, 'coin.check.ts'), join(project, 'linked.check.ts'))
})
afterAll(() => rmSync(folder, { recursive: true }))
beforeEach(() => rmSync(ran, { force: true }))

/** A process of its own has a working directory of its own. */
function allways(argv: readonly string[]): Ran {
  const options = { cwd: project, encoding: 'utf8' } as const
  const { status, stdout, stderr } = spawnSync(process.execPath, [command, ...argv], options)
  return { code: status ?? 70, stdout, stderr }
}

/** What the first commands have left behind, by their flags: the program is as it was then whenever this is asked. */
const found = new Map<string, ReturnType<typeof JSON.parse>>()

function contentOf(what: 'trace' | 'checkpoint', ...flags: readonly string[]) {
  const known = found.get(what)
  if (known !== undefined) return known
  const { stdout } = allways(['check', 'coin.check.ts', ...flags, '--json'])
  const content = JSON.parse(readFileSync(join(project, JSON.parse(stdout).results[0][what]), 'utf8'))
  rmSync(ran, { force: true })
  found.set(what, content)
  return content
}

/** A trace of the file, as it is after it was found. */
function traceNaming(file: string): string {
  const content = contentOf('trace')
  writeFileSync(
    join(project, 'named.trace.json'),
    JSON.stringify({ ...content, program: { ...content.program, file } }),
  )
  return 'named.trace.json'
}

function checkpointNaming(file: string): string {
  const { digest: _, ...content } = contentOf('checkpoint', '--keep-going', '--max-executions', '1')
  writeFileSync(
    join(project, 'named.json'),
    JSON.stringify(sealed({ ...content, program: { ...content.program, file } })),
  )
  return 'named.json'
}

function expectRefused({ code, stderr }: Ran, why: string): void {
  expect(stderr.replaceAll(/\s+/g, ' ')).toContain(why)
  expect({ code, isRun: existsSync(ran) }).toEqual({ code: 2, isRun: false })
}

const foreign = [
  ['by an absolute path', join(elsewhere, 'coin.check.ts')],
  ['by a way up', '../elsewhere/coin.check.ts'],
  ['by a link', 'linked.check.ts'],
  ['in a package', 'node_modules/coin/coin.check.ts'],
] as const

describe('the file that a trace names', () => {
  test('is replayed where it is of the project and as it was', () => {
    expect(allways(['replay', traceNaming('coin.check.ts')])).toMatchObject({ code: 1 })
    expect(existsSync(ran)).toBe(true)
  })

  test.each(oneIn(2, foreign))('is not run if it is foreign, %s', cut, (_, file) => {
    expectRefused(allways(['replay', traceNaming(file)]), 'E419')
  })

  test('is not even read if it is foreign', () => {
    writeFileSync(join(elsewhere, 'no-code.check.ts'), 'no code at all')
    expectRefused(allways(['replay', traceNaming(join(elsewhere, 'no-code.check.ts'))]), 'E419')
  })

  test('is not run if it has changed, and the hint says how to run it', long, () => {
    const trace = traceNaming('coin.check.ts')
    writeFileSync(join(project, 'coin.check.ts'), `${source}// changed`)
    const hint = 'name it: npx allways replay named.trace.json coin.check.ts'
    expectRefused(allways(['replay', trace]), hint)
    expect(allways(['replay', trace, 'coin.check.ts'])).toMatchObject({ code: 1 })
    expect(allways(['replay', trace, '--trust'])).toMatchObject({ code: 1 })
    writeFileSync(join(project, 'coin.check.ts'), source)
  })

  test('is not needed to show the trace', () => {
    expect(allways(['show', traceNaming('../elsewhere/coin.check.ts')])).toMatchObject({ code: 0 })
    expect(existsSync(ran)).toBe(false)
  })
})

describe('the file that a checkpoint names', () => {
  test.each(oneIn(2, foreign))('is not run if it is foreign, %s', cut, (_, file) => {
    expectRefused(allways(['check', '--resume', checkpointNaming(file)]), 'E419')
  })

  test('is run if the user says so', long, () => {
    const [, file] = foreign[1]
    const checkpoint = checkpointNaming(file)
    expect(allways(['check', '--resume', checkpoint, '--trust'])).toMatchObject({ code: 1 })
    expect(allways(['check', '--resume', checkpoint, file])).toMatchObject({ code: 1 })
  })

  test('is not run if it has changed, whoever names it', long, () => {
    const checkpoint = checkpointNaming('coin.check.ts')
    writeFileSync(join(project, 'coin.check.ts'), `${source}// changed`)
    expectRefused(allways(['check', '--resume', checkpoint]), 'E405')
    expectRefused(allways(['check', '--resume', checkpoint, 'coin.check.ts', '--trust']), 'E405')
    writeFileSync(join(project, 'coin.check.ts'), source)
  })

  test('is not another one', () => {
    const checkpoint = checkpointNaming('coin.check.ts')
    writeFileSync(join(project, 'other.check.ts'), `${source}// other`)
    const why = 'it is a search of coin.check.ts, and other.check.ts does not hold the same'
    expectRefused(allways(['check', '--resume', checkpoint, 'other.check.ts']), why)
  })
})

test('--trust needs something to trust', () => {
  expectRefused(allways(['check', 'coin.check.ts', '--trust']), 'E107')
})
