import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allways, fixtures } from './harness.ts'

const folder = mkdtempSync(join(tmpdir(), 'allways-replay-'))
const race = `${fixtures}/race.check.ts`
const source = readFileSync(race, 'utf8')

afterAll(() => rmSync(folder, { recursive: true }))

/** Checks a file and returns what was printed and where the trace is. */
async function found(
  file: string,
  ...flags: readonly string[]
): Promise<{ readonly text: string; readonly trace: string }> {
  const { stdout } = await allways(['check', file, '--trace-dir', join(folder, 'traces'), ...flags])
  return { text: stdout, trace: /npx allways replay (\S+)/.exec(stdout)?.[1] as string }
}

/** The output below its heading: message, picture, reason, place, commands. */
function belowHeading(text: string): string {
  return text.slice(text.indexOf('\n\n'))
}

describe('a trace of an unchanged program', () => {
  test.each([
    [race, []],
    [race, ['--network', 'mailbox', '--engine', 'exhaustive']],
    [`${fixtures}/mistakes/throws.check.ts`, []],
    [`${fixtures}/mistakes/deadlock.check.ts`, []],
    [`${fixtures}/mistakes/two-bugs.check.ts`, ['--engine', 'random']],
    [`${fixtures}/holds.check.ts`, ['-t', 'pair', '--network', 'bag']],
  ])(
    '%s %s: replay prints, byte for byte, what was printed when it was found, and exits with 1',
    async (file, flags) => {
      const { text, trace } = await found(file, ...flags)
      const ran = await allways(['replay', trace])
      expect(ran).toMatchObject({ code: 1, stderr: '' })
      expect(belowHeading(ran.stdout)).toBe(belowHeading(text))
      expect(ran.stdout.split('\n')[0]).toMatch(/reproduced$/)
    },
  )

  test('that has lost its last decisions is E404, and not an execution that holds', async () => {
    const { trace } = await found(race)
    const content = JSON.parse(readFileSync(trace, 'utf8'))
    const cut = join(folder, 'cut.trace.json')
    writeFileSync(cut, JSON.stringify({ ...content, decisions: content.decisions.slice(0, 2) }))
    const ran = await allways(['replay', cut])
    expect(ran.code).toBe(2)
    expect(ran.stderr.replaceAll(/\s+/g, ' ')).toContain('the recorded violation has not come about')
  })

  test('show prints the same picture from the file alone', async () => {
    const file = join(folder, 'gone.check.ts')
    writeFileSync(file, source)
    const { text, trace } = await found(file)
    rmSync(file)
    const ran = await allways(['show', trace])
    expect(ran).toMatchObject({ code: 0, stderr: '' })
    const picture = /worker {10,}client[\s\S]*?ends where the process ended/.exec(text)?.[0]
    expect(picture).toBeDefined()
    expect(ran.stdout).toContain(picture)
  })

  test.each(['show', 'replay'])(
    '%s prints one object on stdout with --json, and what else was asked for on stderr',
    async (command) => {
      const { trace } = await found(race)
      const ran = await allways([command, trace, '--json', '--reporter', 'mermaid'])
      expect(JSON.parse(ran.stdout)).toMatchObject({ results: [{ verdict: 'violated' }] })
      expect(ran.stderr).toMatch(/^sequenceDiagram\n/)
    },
  )

  test('show draws a sequence diagram and prints JSON', async () => {
    const { trace } = await found(race)
    expect((await allways(['show', trace, '--reporter', 'mermaid'])).stdout).toMatch(/^sequenceDiagram\n/)
    const json = JSON.parse((await allways(['show', trace, '--json'])).stdout)
    expect(json).toMatchObject({
      results: [{ program: 'late work', verdict: 'violated', violation: { steps: 7 }, trace }],
    })
  })

  test('replay as JSON says violated', async () => {
    const { trace } = await found(race)
    const { code, stdout } = await allways(['replay', trace, '--json'])
    expect(code).toBe(1)
    expect(JSON.parse(stdout)).toMatchObject({
      results: [{ verdict: 'violated', violation: { message: 'worked after being stopped' } }],
    })
  })
})

describe('a trace of a changed program', () => {
  const file = join(folder, 'changing.check.ts')
  let trace: string

  beforeAll(async () => {
    writeFileSync(file, source)
    trace = (await found(file)).trace
  })

  async function replayed(changed: string) {
    writeFileSync(file, changed)
    return await allways(['replay', trace, file])
  }

  test('exits with 0 if the execution is still possible and violates nothing', async () => {
    const ran = await replayed(source.replace('assert(!stopped', 'assert(true'))
    expect(ran.code).toBe(0)
    expect(ran.stdout).toContain('the violation that was recorded does not come about any more')
    expect(ran.stderr).toContain(`changed since the trace was written: ${file}`)
    expect(ran.stderr).not.toContain('find the violation again')
  })

  test('exits with 1 and says so if it is violated otherwise', async () => {
    const ran = await replayed(source.replace("'worked after being stopped'", "'something else'"))
    expect(ran.code).toBe(1)
    expect(ran.stdout.split('\n')[0]).toMatch(/violated otherwise$/)
  })

  test('that drifts is E404 with the step, the decision, what was possible there, and what changed', async () => {
    const ran = await replayed(source.replace("yield* send(to, { kind: 'stop' })", ''))
    expect(ran).toMatchObject({ code: 2, stdout: '' })
    const text = ran.stderr.replaceAll(/\n +(?=\S)/g, ' ')
    expect(text).toContain(
      'E404  the trace does not fit program "late work": step 5 of 7: "supervisor steps" is not possible;',
    )
    expect(text).toContain('possible there: worker receives #0 work{item: 1} from client')
    expect(text).toContain(`hint: changed since the trace was written: ${file}; find the violation again`)
  })

  test('that drifts where a machine acted by itself does not say that it received nothing', async () => {
    const timed = join(folder, 'timed.check.ts')
    const text = `import { invariant, machine, system } from 'allways'
const clock = machine('clock', {
  state: () => ({ rung: false }),
  start(_state, { setTimer }) { setTimer('ring', { milliseconds: 5 }) },
  timers: { ring(state) { state.rung = true } },
})
export default system('bell', {}, () => ({
  machines: { clock: clock.as() },
  invariants: [invariant('quiet', ({ clock }) => !clock.rung)],
}))
`
    writeFileSync(timed, text)
    const { trace: written } = await found(timed)
    writeFileSync(timed, text.replace("setTimer('ring', { milliseconds: 5 })", 'void setTimer'))
    const ran = await allways(['replay', written, timed])
    expect(ran.code).toBe(2)
    expect(ran.stderr.replaceAll(/\s+/g, ' ')).toContain('"clock goes on without a message" is not possible')
  })

  test('whose program is gone is E404, whose file is gone is E101', async () => {
    const renamed = await replayed(source.replace("'late work'", "'other work'"))
    expect(renamed).toMatchObject({ code: 2, stderr: expect.stringContaining('E404') })
    expect(renamed.stderr).toContain('it has "other work"')
    rmSync(file)
    expect(await allways(['replay', trace])).toMatchObject({ code: 2, stderr: expect.stringContaining('E101') })
  })
})

describe('a trace file that is no good', () => {
  const path = join(folder, 'bad.trace.json')
  let good: { readonly [field: string]: unknown }

  beforeAll(async () => {
    good = JSON.parse(readFileSync((await found(race)).trace, 'utf8'))
  })

  const damages: readonly (readonly [string, string, () => string])[] = [
    ['is empty', 'E401', () => ''],
    ['is another JSON file', 'E401', () => '{"name": "package"}'],
    ['is cut in the middle', 'E402', () => JSON.stringify(good).slice(0, 700)],
    [
      'has a decision of no kind',
      'E402',
      () => JSON.stringify({ ...good, decisions: [{ kind: 'jump', process: 'main' }] }),
    ],
    ['has no setting', 'E402', () => JSON.stringify({ ...good, setting: undefined })],
    ['is of another version', 'E403', () => JSON.stringify({ ...good, format: 'allways-trace/9' })],
  ]

  test.each(damages)('that %s is %s for replay and show', async (_what, code, text) => {
    writeFileSync(path, text())
    for (const command of ['replay', 'show']) {
      const ran = await allways([command, path])
      expect(ran).toMatchObject({ code: 2, stdout: '' })
      expect(ran.stderr).toContain(` ${code}  `)
      expect(ran.stderr).toContain('bad.trace.json')
    }
  })

  test('with a parameter that no memory has room for is E404, unless it is trusted', async () => {
    const { trace } = await found('examples/payment.check.ts', '--param', 'remembers=8')
    const path = join(folder, 'large.trace.json')
    const text = readFileSync(trace, 'utf8')
    const large = (remembers: number) =>
      writeFileSync(path, text.replace('"remembers": 8', `"remembers": ${remembers}`))
    large(1e9)
    const { code, stderr } = await allways(['replay', path, 'examples/payment.check.ts'])
    expect(stderr.replaceAll(/\s+/g, ' ')).toContain('its parameter "remembers" is 1000000000, and at most 1000000')
    expect(stderr).toContain('add --trust')
    expect(code).toBe(2)
    const trusted = await allways(['replay', path, 'examples/payment.check.ts', '--trust'])
    expect(trusted.stderr).not.toContain('its parameter')
  })

  test('a directory is E101', async () => {
    mkdirSync(join(folder, 'directory.trace.json'))
    expect(await allways(['replay', join(folder, 'directory.trace.json')])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('E101'),
    })
  })
})
