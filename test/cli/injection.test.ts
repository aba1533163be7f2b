/** Whatever a text in a file holds, what is printed about it is text: no orders to a terminal, a runner, or a reader. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { allways, fixtures } from './harness.ts'

const folder = mkdtempSync(join(tmpdir(), 'allways-injection-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Each with a word that must not come to stand at the beginning of a line. */
const payloads: readonly string[] = [
  ...['\n', '\r', '\r\n', '\u2028', '\u2029', '\u0085', '\u000b', '\u000c', '\n   '].map((end) => `a${end}PLANTED`),
  ...['::error::PLANTED', '::set-output name=a::PLANTED', '##[error]PLANTED', '\n::stop-commands::PLANTED'],
  ...['\u001b[2J', '\u001b[31m', '\u001b]52;c;Y3VybA==\u0007', '\u001b]8;;http://x\u001b\\', '\u009b2J', '\u001bc'],
  ...['\u202e', '\u2066', '\u200b', '\u200d', '\ufeff', '\u00ad', '\u061c', '\u{e0001}', '\ufff9', '\u180e'],
  ...['\u0000', '\u0007', '\u0008', '\u007f', '\u0001', '\ud800', '\udc00x', '\uffff', '\u{10ffff}', '\ue000'],
  ...['$(PLANTED)', '`PLANTED`', "'; PLANTED #", '" & PLANTED', '%PATH%', '| sh', '--fix', '-t'],
  ...[
    '</script><script>PLANTED',
    '<img src=x onerror=PLANTED>',
    'end\nparticipant PLANTED',
    'a->>b: PLANTED',
    '%% PLANTED',
  ],
  ...['__proto__', 'constructor', '{{PLANTED}}', '\t\tPLANTED', ' PLANTED', 'PLANTED'.repeat(2_000)],
]

type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

/** The trace again and again, each time with the payload in the place of another text. */
function* planted(content: Json, payload: string, path: readonly string[] = []): Generator<readonly [string, Json]> {
  if (typeof content === 'string') yield [path.join('.'), payload]
  if (typeof content !== 'object' || content === null) return
  for (const [key, value] of Object.entries(content)) {
    for (const [where, changed] of planted(value, payload, [...path, key])) {
      const copy = structuredClone(content) as { [key: string]: Json }
      copy[key] = changed
      yield [where, copy]
    }
  }
}

/** What must not be in anything that is printed. Messages may have several lines, which stand below their first one. */
function orders(printed: string, form: readonly string[]): readonly string[] {
  const planting = form.includes('mermaid') ? /^\s*(?:PLANTED|::|participant PLANTED)/ : /^ {0,2}PLANTED|^\s*::/
  const hidden = printed.match(/[^\P{C}\n]|[\p{Zl}\p{Zp}]/gu) ?? []
  const lines = printed.split('\n').filter((line) => planting.test(line))
  const runner = printed.match(/##\[/g) ?? []
  return [...hidden.map((one) => JSON.stringify(one)), ...lines, ...runner]
}

async function traceOf(...argv: readonly string[]): Promise<{ [key: string]: Json }> {
  const { stdout } = await allways([...argv, '--trace-dir', folder, '--json'])
  const [{ trace }] = JSON.parse(stdout).results
  return JSON.parse(readFileSync(trace, 'utf8'))
}

const env = { GITHUB_ACTIONS: 'true' }

const stride = 61

/** Every text once with each payload would take minutes: each text meets some of them, and each of them many texts. */
async function expectText(content: Json, forms: readonly (readonly string[])[]): Promise<void> {
  const path = join(folder, 'planted.trace.json')
  for (const [at, payload] of payloads.entries()) {
    let text = 0
    for (const [where, changed] of planted(content, payload)) {
      if (text++ % stride !== at % stride) continue
      writeFileSync(path, JSON.stringify(changed))
      for (const form of forms) {
        const { code, stdout, stderr } = await allways([...form, path], { env })
        expect([0, 2], `${where} ${JSON.stringify(payload)}`).toContain(code)
        expect([...orders(stdout, form), ...orders(stderr, [])], `${where} ${JSON.stringify(payload)}`).toEqual([])
        if (form.includes('--json')) JSON.parse(stdout)
      }
    }
  }
}

describe('texts of a trace, shown', () => {
  test('of a program', async () => {
    const content = await traceOf('check', `${fixtures}/race.check.ts`)
    await expectText(content, [['show'], ['show', '--json'], ['show', '--reporter', 'mermaid']])
  })

  test('of a class', async () => {
    const content = await traceOf(
      'linearize',
      `${fixtures}/objects/counter.check.ts`,
      '-t',
      'Counter',
      '--client',
      '{ increment() } || { increment() }',
    )
    await expectText(content, [['show'], ['show', '--json']])
  })
})
