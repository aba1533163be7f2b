/** Variables of modules that processes share: what an execution leaves there is what all later ones find. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { allways } from './harness.ts'

const folder = mkdtempSync(join(tmpdir(), 'allways-module-state-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Two processes answer with what the module knows by then. */
function checkFile(name: string, variable: string, answer: string): string {
  const file = join(folder, `${name}.check.ts`)
  const text = `import { assert, program, receive, self, send, spawn } from 'allways'
${variable}
export default program('${name}', function* () {
  const me = yield* self<number>()
  for (const i of [0, 1]) yield* spawn('p' + i, function* () { yield* send(me, ${answer}) })
  for (let n = 0; n < 2; n++) yield* assert((yield* receive<number>()) < 2)
})
`
  writeFileSync(file, text)
  return file
}

const known = 'const known = new Map<string, number>()'
const filled = "(known.has('k') || known.set('k', i), known.get('k') as number)"
const memo = '(known.has(String(i)) || known.set(String(i), i % 2), known.get(String(i)) as number)'

test.each(['dpor', 'exhaustive', 'stateful'])('what the first to come leaves is noticed by %s', async (engine) => {
  const { code, stderr } = await allways(['check', checkFile('first', known, filled), '--engine', engine])
  expect(code).toBe(2)
  expect(stderr).toMatch(/E201 {2}process "p\d" is not deterministic/)
  expect(stderr).toContain('first.check.ts:5:')
})

test('what is the same whoever comes first is not', async () => {
  const { code, stdout } = await allways(['check', checkFile('memo', known, memo)])
  expect([code, stdout.includes('✓ verified')]).toEqual([0, true])
})
