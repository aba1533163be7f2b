/** Invariants look at states as people write it, also by means that no recorder of reads sees: every engine is told the same. */
import { inspect, isDeepStrictEqual } from 'node:util'
import { serialize } from 'node:v8'
import { checkResult, invariant, machine, system } from 'allways'
import { describe, expect, test } from 'vitest'
import { evidenceOf } from '../../src/core/evidence.ts'
import { longIf } from '../amount.ts'

interface State {
  log: number[]
  votes: { [name: string]: number }
  seen: Set<string>
}

const member = machine<State, { readonly kind: 'vote'; readonly value: number }>('member', {
  state: () => ({ log: [], votes: {}, seen: new Set() }),
  requests: {
    go(state, value: number, { peers, send }) {
      state.log.push(value)
      for (const peer of peers) send(peer, { kind: 'vote', value })
    },
  },
  on: {
    vote(state, { value }, { from }) {
      state.votes[from] = value
      state.seen.add(from)
      state.log.push(value)
    },
  },
})

type States = Partial<Record<string, State>>

/** Each is broken by what machine a has seen while machine b has not yet: a log with 2 in it beside one that is empty. */
const forms: { readonly [form: string]: (states: States) => boolean } = {
  'structuredClone of a state': ({ a, b }) => !(structuredClone(a)?.log.includes(2) && isEmpty(b)),
  'structuredClone of a part': ({ a, b }) => !(structuredClone(a?.log)?.sort().at(-1) === 2 && isEmpty(b)),
  'structuredClone of all': (states) => {
    const { a, b } = structuredClone({ ...states })
    return !(a?.log.includes(2) && isEmpty(b))
  },
  'spread of a state': ({ a, b }) => {
    const { log, ...others } = { ...(a as State) }
    return !(log.includes(2) && Object.keys(others).length === 2 && isEmpty(b))
  },
  'JSON of all': (states) => !/"a":\{"log":\[2\].*"b":\{"log":\[\]/.test(JSON.stringify(states)),
  'JSON of parts': ({ a, b }) => JSON.stringify([a?.log, b?.log]) !== '[[2],[]]',
  'isDeepStrictEqual with a value': ({ a, b }) => !(isDeepStrictEqual(a?.votes, { c: 2 }) && isEmpty(b)),
  'isDeepStrictEqual of two states': ({ a, b }) =>
    isDeepStrictEqual(a?.seen, b?.seen) || isDeepStrictEqual(a?.log, b?.log),
  'Object.entries': ({ a, b }) => !(Object.entries(a?.votes ?? {}).some(([, value]) => value === 2) && isEmpty(b)),
  'Object.assign': ({ a, b }) => !(Object.assign({ more: 1 }, a).log.includes(2) && isEmpty(b)),
  'inspect of a part': ({ a, b }) => !(inspect(a?.log) === '[ 2 ]' && inspect(b?.log) === '[]'),
  'inspect of a state': ({ a, b }) => !(inspect(a).includes('log: [ 2 ]') && inspect(b).includes('log: []')),
  'serialize of a state': ({ a, b }) => !(serialize(a).length > serialize(b).length && isEmpty(b)),
  'for in': ({ a, b }) => {
    for (const name in a?.votes) if (a.votes[name] === 2 && isEmpty(b)) return false
    return true
  },
  'a copy that is changed': ({ a, b }) =>
    !(
      [...(a?.log ?? [])]
        .reverse()
        .concat(b?.log ?? [])
        .join() === '2'
    ),
  'a set of a set': ({ a, b }) => !(new Set([...(a?.seen ?? []), 'x']).size === 2 && isEmpty(b)),
}

/** By the log alone: in b's own state there is nothing to be read twice. */
function isEmpty(state: State | undefined): boolean {
  return Array.from(state?.log ?? []).length === 0
}

const names = Object.keys(forms)
const said = system('forms', { faults: {} }, () => ({
  machines: { a: member.as(), b: member.as(), c: member.as() },
  requests: { b: [['go', 1]], c: [['go', 2]] },
  invariants: names.map((name) => invariant<State>(name, forms[name] as (states: States) => boolean)),
}))

describe('invariants that look at states in other ways than by their properties', () => {
  for (const engine of ['local', 'stateful', 'dpor', 'random']) {
    test(`are told the same by ${engine}`, longIf(engine === 'random' || engine === 'dpor'), async () => {
      const result = await checkResult(said, {
        engine,
        keepGoing: true,
        ...(engine === 'random' ? { samples: 400 } : {}),
      })
      if (!result.ok) throw new Error(result.diagnostics[0]?.message)
      const broken = evidenceOf(result.value.evidence, 'execution').map(({ violation }) => violation)
      expect(broken.map(({ property }) => property).sort()).toEqual([...names].sort())
      expect(new Set(broken.map(({ message }) => message))).toEqual(new Set(['the invariant is false']))
    })
  }
})
