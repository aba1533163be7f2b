/** P programs on the command line: what was met of them, and their machines as diagrams. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { afterAll, expect, test } from 'vitest'
import { allways, fixtures } from './harness.ts'

const folder = mkdtempSync(join(tmpdir(), 'allways-p-coverage-'))
const file = join(folder, 'lamp.p')
writeFileSync(
  file,
  `event Press; event Break; event Lit;
machine Main {
  start state Off { entry { send this, Press; } on Press goto On; on Break do { } }
  state On { entry { announce Lit; } ignore Press; }
  state Broken { }
}
spec Light observes Lit { start hot state Dark { on Lit goto Bright; } cold state Bright { ignore Lit; } }
test lamp [main=Main]: assert Light in { Main };
`,
)

afterAll(() => rmSync(folder, { recursive: true }))

test('--coverage prints states and events after the verdict', async () => {
  const { code, stdout } = await allways(['check', file, '--coverage'])
  expect(code).toBe(0)
  expect(stdout).toContain(
    'fairness assumed: each machine that can go on does so some time, and each message is delivered',
  )
  expect(stdout.slice(stdout.indexOf('   coverage'))).toBe(`   coverage
     machine Main
       Off: handled Press; never handled Break
       On: entered
       Broken: never entered
     monitor Light
       Dark: handled Lit
       Bright: entered
`)
  expect((await allways(['check', file])).stdout).not.toContain('   coverage')
})

test('JSON has it without being asked, as its schema says', async () => {
  const { stdout } = await allways(['check', file, '--json'])
  const schema: object = JSON.parse(readFileSync('schema/allways-report-1.json', 'utf8'))
  const validate = new Ajv({ strict: false }).compile(schema)
  const report = JSON.parse(stdout)
  expect(validate(report), JSON.stringify(validate.errors)).toBe(true)
  expect(report.results[0]).toMatchObject({
    setting: { endless: 'fair' },
    coverage: [{ name: 'Main' }, { name: 'Light' }],
  })
})

test('list and show draw each machine', async () => {
  const { code, stdout } = await allways(['list', file, '--reporter', 'mermaid'])
  const shown = await allways(['show', file, '--reporter', 'mermaid'])
  expect({ code: shown.code, stdout: shown.stdout }).toEqual({ code, stdout })
  expect(code).toBe(0)
  expect(stdout).toMatch(/^```mermaid\nstateDiagram-v2\n {2}%% machine Main\n {2}s0: Off\n/)
  expect(stdout.match(/^```$/gm)).toHaveLength(2)
  expect(stdout).toContain('  s0 --> s1: Press\n')
  expect(stdout).toContain('  s0: Dark (hot)\n')
  // Of programs without declared states there is nothing to draw.
  expect((await allways(['list', `${fixtures}/holds.check.ts`, '--reporter', 'mermaid'])).stdout).toContain('senders')
  const without = await allways(['show', `${fixtures}/holds.check.ts`])
  expect(without.code).toBe(2)
  expect(without.stderr).toContain('declares no machines with states')
  expect((await allways(['show', file, '--json'])).stdout).toContain('"E107"')
})
