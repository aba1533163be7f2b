/** Programs with the hint that prove gives, and the same programs as the hint says. */
import { expect, test } from 'vitest'
import { termOf } from '../../../../src/check/prove/prove.ts'
import { judged, usual } from '../../../hostile/judge.ts'
import { imports, loaded } from '../../../hostile/loaded.ts'

export interface Hinted {
  readonly hint: string
  readonly refused: string
  readonly rewritten: string
  /** Of what is rewritten, if there is another reason not to prove it. */
  readonly said?: 'incomplete'
}

export const worker = `function* worker(main) { yield* send(main, { kind: 'done', value: 1 }) }
`
export const sized = (body: string, more = worker, options = 'every(2)') => `${more}
export default program('p', { params: { n: ${options} } }, function* ({ n }) {
${body}
})`
export const all = `const all = yield* spawnAll(n, 'worker', worker, yield* self())\n`
export const gathered = `for (const one of all) yield* receive('done', { from: one })`

export function follows(hints: readonly Hinted[]): void {
  test.each(hints)('$hint', async ({ hint, refused, rewritten, said = 'proved' }) => {
    const term = termOf(loaded(imports + refused))
    expect(term.ok ? [] : term.diagnostics.map((one) => one.hint)).toContain(hint)
    expect(await judged(loaded(imports + rewritten), usual)).toMatchObject({ said, problem: undefined })
  })
}
