/** Where values are of a type, for all executions at once and one by one. */
import { test } from 'vitest'
import { Random } from '../../../../src/core/random.ts'
import { castable } from '../../../../src/engines/symbolic/cast.ts'
import type { IrType } from '../../../../src/ir/ir.ts'
import { codeOf } from '../../../../src/semantics/ir/code.ts'
import { isOfType } from '../../../../src/semantics/ir/typed-value.ts'
import type { IrValue } from '../../../../src/semantics/ir/value.ts'
import { amount } from '../../../amount.ts'
import { any, bool, int, mapOf, program, seqOf, setOf, text } from '../../semantics/ir/build.ts'
import { KnownSummaries, shapes } from './known.ts'

const rounds = amount({ quick: 30, all: 1_000 })
const pair: IrType = { kind: 'tuple', items: [int, bool] }
const record: IrType = {
  kind: 'record',
  fields: [
    { name: 'a', type: int },
    { name: 'b', type: seqOf(int) },
  ],
}
const types: readonly IrType[] = [
  ...[any, int, bool, text, pair, record],
  ...[seqOf(any), seqOf(int), seqOf(pair), seqOf(seqOf(int)), seqOf(mapOf(int, any))],
  ...[setOf(any), setOf(int), setOf(pair), mapOf(int, any), mapOf(int, seqOf(int)), mapOf(text, any)],
  ...([{ kind: 'machine', receives: undefined }, { kind: 'event' }] as const),
]

const code = codeOf(program({ machines: { Main: { states: { S: {} } } } }), {})

test.each(types)('values are of a type where each of them is: %j', (type) => {
  for (let seed = 0; seed < rounds; seed++) {
    const known = new KnownSummaries(new Random(seed), code.values)
    const { summary, table } = known.known(...shapes)
    const fits = known.row((at) => isOfType(table[at] as IrValue, type, code.ir))
    known.expectGuard({ guard: castable({ lifting: known.lifting, code }, summary, type), table: fits })
  }
})
