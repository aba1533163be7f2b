/** The comparison of halting states itself: it accepts what is true and sees each way in which a claim can be false. */
import { expect, test } from 'vitest'
import { type Sequentialization, sequentialize } from '../../src/engines/sequentialize/sequentialize.ts'
import type { State } from '../../src/engines/sequentialize/state.ts'
import { term as computed, constant, processValue, unknown, type Value } from '../../src/engines/sequentialize/value.ts'
import type { Icet } from '../../src/program/icet.ts'
import { endOfProof } from './halting.ts'
import {
  assign,
  binary,
  choose,
  each,
  field,
  literal,
  many,
  message,
  one,
  opaque,
  param,
  receive,
  self,
  send,
  size,
  term,
  the,
  variable,
} from './icet-build.ts'
import { explore } from './sequentialize-agreement.ts'

/** One of everything that can be known where a proof ends. */
const icet = term(
  'values',
  ['n'],
  one(
    'p',
    choose('c', literal(1), literal(2)),
    assign('f', opaque('f', self)),
    assign('twice', binary(variable('f'), '+', variable('f'))),
    assign('members', size('n')),
    send(the('m'), message('k', { x: variable('f'), from: self })),
    each('e', 'q', receive('w', 'r', variable('e'))),
  ),
  one('m', receive('w', 'k'), assign('x', field(variable('w'), 'x'))),
  many('q', param('n'), assign('me', self), assign('s', literal('same')), send(the('p'), message('r'))),
)

test('what a proof knows where it ends is true of every execution', () => {
  expect(explore(icet, { ended: proofEnd(icet) }).problem).toBeUndefined()
})

test('what a proof knows where it ends is spelled out', () => {
  const { parties } = proofEnd(icet).configuration
  const f = computed('`f`', processValue('p'))
  expect(parties.get('p')?.store.get('c')?.kind).toBe('symbol')
  expect(parties.get('p')?.store.get('twice')).toEqual(computed('+', f, f))
  expect(parties.get('p')?.store.get('members')).toEqual({ kind: 'parameter', name: 'n' })
  expect(parties.get('m')?.store.get('x')).toEqual(f)
  expect(parties.get('q')?.store).toEqual(
    new Map<string, Value>([
      ['me', { kind: 'self', set: 'q' }],
      ['s', constant('same')],
    ]),
  )
})

const kind = constant('k')
const fields = (...pairs: readonly (readonly [string, Value])[]): Value => ({ kind: 'record', fields: new Map(pairs) })
const chosen = (end: State): Value => end.configuration.party('p').store.get('c') as Value

test.each<readonly [string, string, string, (end: State) => Value, string]>([
  ['a constant', 'q', 's', () => constant('other'), 'q 0 has s = "same"'],
  ['a variable that is never set', 'm', 'y', () => constant(1), 'm has y = undefined'],
  ['the sender', 'q', 'me', () => processValue('p'), 'q 0 has me = q 0'],
  ['the member itself', 'q', 's', () => ({ kind: 'self', set: 'q' }), 'q 0 has s = "same"'],
  ['a size', 'm', 'x', () => ({ kind: 'parameter', name: 'n' }), 'm has x = true'],
  ['one value for all members', 'q', 'me', () => ({ kind: 'symbol', id: 99 }), 'q 1 has me = q 1'],
  ['a value of another process', 'p', 'members', chosen, 'p has members = 0'],
  ['what is computed', 'p', 'twice', (end) => computed('-', chosen(end), chosen(end)), 'p has twice = 2'],
  ['a field too few', 'm', 'w', () => fields(['kind', kind], ['x', unknown]), 'm has w = …'],
  [
    'a field too many',
    'm',
    'w',
    () => fields(['kind', kind], ['x', unknown], ['from', unknown], ['y', kind]),
    'm has w = …',
  ],
])('a false claim about %s is found', (_about, party, variable, claim, text) => {
  const end = proofEnd(icet)
  end.configuration.assign(party, variable, claim(end))
  expect(problemWith(end)).toBe(`ends otherwise: ${text}`)
})

test('a variable that a proof does not have and an execution has is found', () => {
  const end = proofEnd(icet)
  const store = new Map([...end.configuration.party('q').store].filter(([name]) => name !== 's'))
  end.configuration.update('q', { store })
  expect(problemWith(end)).toBe('ends otherwise: q 0 has s = "same"')
})

test('a false claim about what can be chosen is found', () => {
  const end = proofEnd(icet)
  const symbol = chosen(end)
  if (symbol.kind !== 'symbol') expect.fail(symbol.kind)
  end.configuration.domains = new Map([[symbol.id, [1, 3]]])
  expect(problemWith(end)).toBe('ends otherwise: # is 2 and none of [1,3]')
})

test('a false claim about a condition is found', () => {
  const end = proofEnd(icet)
  end.configuration.truths = new Map([['', { condition: computed('<', chosen(end), constant(2)), holds: true }]])
  expect(problemWith(end)).toMatch(/^ends otherwise: .* is not true$/)
})

/** How patterns are written and which symbols there are is the engine's own business. */
function problemWith(ended: State): string | undefined {
  const text = explore(icet, { ended }).problem?.text
  return text
    ?.replaceAll(/#\d+/g, '#')
    .replaceAll(/\{"#address":"([^"]*)"\}/g, '$1')
    .replace(/ = \{.*\}(?= and)/, ' = …')
    .replace(/ and not .*/, '')
}

function proofEnd(program: Icet): State {
  const found: Sequentialization = sequentialize(program)
  if (found.kind !== 'proved') expect.fail(found.kind)
  return endOfProof(program, found.proof)
}
