/** Small histories in each style that is read, with every field that one may have. Each is violated, so that it is drawn. */
import type { Json } from './planting.ts'

interface Written {
  readonly name: string
  readonly content: readonly Json[]
  readonly flags: readonly string[]
}

const own: readonly Json[] = [
  { format: 'allways-history/1', specification: 'kv', observedFailures: ['get'] },
  { process: 'first', type: 'invoke', op: 'put', args: ['key', 'old'], time: 1 },
  { process: 'second', type: 'invoke', op: 'append', args: ['key', 'more'], time: 2 },
  { process: 'first', type: 'ok', op: 'put', value: null, time: 3 },
  { process: 'second', type: 'info', op: 'append', error: 'timed out', time: 4 },
  { process: 'first', type: 'invoke', op: 'get', args: ['key'], time: 5 },
  { process: 'first', type: 'ok', op: 'get', value: 'other', time: 6 },
  { process: 'third', type: 'invoke', op: 'get', args: ['key'], time: 7 },
  { process: 'third', type: 'ok', op: 'get', error: 'RangeError: full', time: 8 },
]

const jepsen: readonly Json[] = [
  { format: 'allways-history/1', specification: 'register', initial: 'zero' },
  { process: 'first', type: 'invoke', f: 'write', value: 'one', key: 'here' },
  { process: 'first', type: 'ok', f: 'write', value: 'one', key: 'here' },
  { process: 'second', type: 'invoke', f: 'read', value: null, key: 'here' },
  { process: 'second', type: 'ok', f: 'read', value: 'two', key: 'here' },
  { process: 'third', type: 'invoke', f: 'read', value: null, key: 'there' },
  { process: 'third', type: 'fail', f: 'read', error: 'gone', key: 'there' },
]

const values: readonly Json[] = [
  { process: 'first', type: 'invoke', op: 'add', args: [{ deep: ['in', { a: 'list' }] }] },
  { process: 'first', type: 'ok', op: 'add', value: true },
  { process: 'second', type: 'invoke', op: 'has', args: [{ deep: ['in', { a: 'list' }] }] },
  { process: 'second', type: 'ok', op: 'has', value: false },
]

export const histories: readonly Written[] = [
  { name: 'of our own style', content: own, flags: [] },
  { name: 'as Jepsen writes it', content: jepsen, flags: [] },
  { name: 'without a header', content: values, flags: ['--spec', 'set'] },
]
