/** Types of Byzantine machines: what they say is what machines of their kind receive. */
import { byzantine, isSigned, machine, type Signed, signed } from 'allways'
import { expectTypeOf, test } from 'vitest'

type Letter = { readonly kind: 'letter'; readonly order: Signed<'attack' | 'retreat'> } | { readonly kind: 'ping' }

const lieutenant = machine<{ orders: string[] }, Letter, { readonly looks: boolean }>('lieutenant', {
  state: () => ({ orders: [] }),
})

test('messages are those of the kind of machine, in a list or from a function', () => {
  byzantine(lieutenant, { says: [{ kind: 'ping' }, { kind: 'letter', order: signed('a', 'attack') }] })
  byzantine(lieutenant, { says: ({ self }) => [{ kind: 'letter', order: signed(self, 'retreat') }] })
  byzantine(lieutenant, { says: ({ peers }) => peers.map(() => ({ kind: 'ping' }) as const) })
  // @ts-expect-error: no such kind
  byzantine(lieutenant, { says: [{ kind: 'pong' }] })
  // @ts-expect-error: no such kind
  byzantine(lieutenant, { says: () => [{ kind: 'pong' }] })
  // @ts-expect-error: no such order
  byzantine(lieutenant, { says: [{ kind: 'letter', order: signed('a', 'wait') }] })
  // @ts-expect-error: not signed
  byzantine(lieutenant, { says: [{ kind: 'letter', order: 'attack' }] })
  // @ts-expect-error: it must say what it says
  byzantine(lieutenant, {})
  // @ts-expect-error: without `as`
  byzantine(lieutenant.as({ looks: true }), { says: [] })
})

test('a signature tells who signed what', () => {
  const letter = signed('a', { order: 'attack' })
  expectTypeOf(letter.by).toEqualTypeOf<string>()
  expectTypeOf(letter.message.order).toEqualTypeOf<'attack'>()
  const value: unknown = letter
  if (isSigned(value, 'a')) expectTypeOf(value).toExtend<Signed>()
})
