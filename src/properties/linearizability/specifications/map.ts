/** A map or key-value store. Keys are independent of each other, unless the size is asked for. */
import type { CallResult } from '../../../core/history.ts'
import { encodeValue, type Value } from '../../../core/value.ts'
import { showValue } from '../../../core/value-text.ts'
import type { Effect } from '../../../program/specification.ts'
import {
  booleanOnly,
  type OperationRule,
  type OperationTable,
  returned,
  saying,
  saysNothing,
  tableSpecification,
} from '../operation-table.ts'
import { registerDecision } from '../register-zones.ts'
import { isNothing, type Specification, sameResult } from '../specification.ts'
import { operationNames } from './names.ts'

/** What a key is bound to; `undefined` if it is not. */
type Entry = { readonly value: Value } | undefined

/** Entries by the canonical text of their keys. */
type Entries = ReadonlyMap<string, { readonly key: Value; readonly value: Value }>

export interface MapOptions {
  /** What `get` returns for a key that is not there: nothing unless told otherwise. `kv` has the empty text. */
  readonly absent?: Value
}

/**
 * `put`, `append` and `size` need no words. `remove` returns the value that was there or whether there was one,
 * `putIfAbsent` the value that was there or whether it stored its own, `getAndPut` the value that was there, `cas(key,
 * from, to)` and `contains` true or false. A result that is `null` says that nothing was there, one that is `undefined` says
 * nothing at all. Results of `put` and `append` say nothing.
 */
export function map(initial: Value = {}, { absent }: MapOptions = {}): Specification<Entries> {
  const entries = entriesOf(initial)
  return tableSpecification<Entries>({
    name: 'map',
    aliases: operationNames.map,
    initial: () => entries,
    key: (state) =>
      [...state]
        .map(([key, { value }]) => `${key}:${encodeValue(value)}`)
        .sort()
        .join(),
    describe: (state) =>
      `{${[...state.values()].map(({ key, value }) => `${showValue(key, 20)}: ${showValue(value, 20)}`).join(', ')}}`,
    partition: (operation, [key]) => (operation === 'size' ? undefined : key),
    part: (key) => part(entries.get(encodeValue(key)), absent),
    rules: {
      ...Object.fromEntries(Object.entries(entryRules(absent)).map(([name, rule]) => [name, onOneKey(rule)])),
      size: { takes: 0, observes: true, apply: (state) => ({ state, returns: state.size }) },
    },
  })
}

/** A store of texts to which one can append; a key that is not there reads as the empty text, or as `initial`. */
export function kv(initial: Value = ''): Specification<Entries> {
  return typeof initial === 'object' && initial !== null
    ? map(initial, { absent: '' })
    : map({}, { absent: initial ?? null })
}

function part(entry: Entry, absent: Value): Specification<Entry> {
  const table: OperationTable<Entry> = {
    name: 'map',
    aliases: operationNames.map,
    initial: () => entry,
    key: (state) =>
      state === undefined ? '' : typeof state.value === 'string' ? `"${state.value}` : encodeValue(state.value),
    describe: (state) => (state === undefined ? showValue(absent) : showValue(state.value, 60)),
    rules: entryRules(absent),
    decide(calls, show) {
      if (!calls.every(({ operation }) => operation === 'get' || operation === 'put')) return undefined
      const asRegister = calls.map((call) => ({
        ...call,
        operation: call.operation === 'get' ? 'read' : 'write',
        args: call.args.slice(1),
      }))
      return registerDecision(asRegister, entry === undefined ? absent : entry.value, show)
    },
  }
  return tableSpecification(table)
}

type EntryRules = { readonly [operation: string]: OperationRule<Entry> }

function entryRules(absent: Value): EntryRules {
  const contentOf = (entry: Entry): Value => (entry === undefined ? absent : entry.value)
  return {
    get: { takes: 1, observes: true, apply: (entry) => ({ state: entry, returns: contentOf(entry) }) },
    put: { takes: 2, says: () => saysNothing, apply: (_entry, [, value]) => ({ state: { value } }) },
    append: {
      takes: 2,
      says: () => saysNothing,
      expects: ([, text]) => (typeof text === 'string' ? undefined : 'a key and a text'),
      apply: (entry, [, text]) => ({ state: { value: `${contentOf(entry) ?? ''}${text as string}` } }),
    },
    getAndPut: {
      takes: 2,
      apply: (entry, [, value]) => ({ state: { value }, returns: contentOf(entry) }),
    },
    cas: {
      takes: 3,
      says: booleanOnly,
      observes: (result) => returned(result, false),
      apply: (entry, [, from, to]) =>
        sameResult(contentOf(entry), from) ? { state: { value: to }, returns: true } : { state: entry, returns: false },
    },
    contains: { takes: 1, observes: true, apply: (entry) => ({ state: entry, returns: entry !== undefined }) },
    ...conditionalRules,
  }
}

/** Operations that return what was there, or whether they did something. */
const conditionalRules: EntryRules = {
  remove: {
    takes: 1,
    says: saysIfDefined,
    // Not for null: that may be the value that was there.
    observes: (result) => returned(result, false),
    apply: (entry, _args, result) => ({
      state: undefined,
      returns: isYesOrNo(result) ? entry !== undefined : (entry?.value ?? null),
    }),
  },
  putIfAbsent: {
    takes: 2,
    says: saysIfDefined,
    observes: (result) => result.kind === 'returned' && result.value !== true && result.value !== null,
    apply: (entry, [, value], result) => ({
      state: entry ?? { value },
      returns: isYesOrNo(result) ? entry === undefined : (entry?.value ?? null),
    }),
  },
}

function saysIfDefined(value: Value): CallResult {
  return value === undefined ? saysNothing : saying(value)
}

function isYesOrNo(result: CallResult): boolean {
  return result.kind === 'returned' && typeof result.value === 'boolean'
}

/** A rule for one entry as a rule for the map. */
function onOneKey(rule: OperationRule<Entry>): OperationRule<Entries> {
  return {
    ...rule,
    apply(state, args, result) {
      const name = encodeValue(args[0])
      const effects = rule.apply(state.get(name), args, result)
      const list = Array.isArray(effects) ? (effects as readonly Effect<Entry>[]) : [effects as Effect<Entry>]
      return list.map((effect) => ({ ...effect, state: rebound(state, name, args[0], effect.state) }))
    },
  }
}

function rebound(state: Entries, name: string, key: Value, entry: Entry): Entries {
  if (state.get(name) === entry) return state
  const next = new Map(state)
  if (entry === undefined) next.delete(name)
  else next.set(name, { key, value: entry.value })
  return next
}

function entriesOf(initial: Value): Entries {
  if (isNothing(initial) || typeof initial !== 'object') return new Map()
  const pairs = initial instanceof Map ? [...initial] : Object.entries(initial)
  return new Map(pairs.map(([key, value]) => [encodeValue(key), { key, value }]))
}
