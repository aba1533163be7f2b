/**
 * The published anomalies, as transactions and the ending that shows each: Berenson et al. (1995), tables 2 to 4; Adya (1999), section
 * 5, by the names that the Hermitage suite has for them; Fekete, O'Neil and O'Neil (2004) for the one that reads alone. Levels at
 * which an ending is reached are read committed, repeatable read by locks, snapshot and serializable, in this order.
 */
import type { Isolation } from '../../src/model/services/services.ts'
import type { Ending, Fields, Scene, SceneEnd, Script } from './database-scripts.ts'

export const levels: readonly Isolation[] = ['read committed', 'repeatable read', 'snapshot', 'serializable']

export interface Anomaly {
  readonly name: string
  readonly scene: Scene
  shows(end: SceneEnd): boolean
  readonly at: readonly Isolation[]
}

const ones = { a: { n: 1 }, b: { n: 1 } }
const get = (key: string): Script => ({ does: 'get', key })
const put = (key: string, n: number): Script => ({ does: 'put', key, row: { n } })
const insert = (key: string, row: Fields): Script => ({ does: 'insert', key, row })
const scan: Script = { does: 'scan', from: 1 }

const areCommitted = ({ transactions }: SceneEnd): boolean => transactions.every(({ end }) => end === 'committed')
const seen = ({ transactions }: SceneEnd, one: number): Ending['seen'] => (transactions[one] as Ending).seen
const number = (row: unknown): number => (row as Fields).n
const rowsIn = (scanned: unknown): number => (scanned as readonly unknown[]).length
const inTheEnd = ({ rows }: SceneEnd, key: string): number | undefined => new Map(rows).get(key)?.n

export const anomalies: readonly Anomaly[] = [
  {
    name: 'dirty write (P0, G0)',
    scene: {
      rows: ones,
      transactions: [
        [put('a', 2), put('b', 2)],
        [put('a', 3), put('b', 3)],
      ],
    },
    shows: (end) => areCommitted(end) && inTheEnd(end, 'a') !== inTheEnd(end, 'b'),
    at: [],
  },
  {
    name: 'aborted read (A1, G1a)',
    scene: { rows: ones, transactions: [[put('a', 2), { does: 'roll back' }], [get('a')]] },
    shows: (end) => number(seen(end, 1)[0]) === 2,
    at: [],
  },
  {
    name: 'intermediate read (P1, G1b)',
    scene: { rows: ones, transactions: [[put('a', 2), put('a', 3)], [get('a')]] },
    shows: (end) => number(seen(end, 1)[0]) === 2,
    at: [],
  },
  {
    name: 'circular information flow (G1c)',
    scene: {
      rows: ones,
      transactions: [
        [put('a', 2), get('b')],
        [put('b', 2), get('a')],
      ],
    },
    shows: (end) => areCommitted(end) && number(seen(end, 0)[1]) === 2 && number(seen(end, 1)[1]) === 2,
    at: [],
  },
  {
    name: 'observed transaction vanishes (OTV)',
    scene: {
      rows: ones,
      transactions: [
        [put('a', 2), put('b', 2)],
        [put('a', 3), put('b', 3)],
        [get('a'), get('b')],
      ],
    },
    shows: (end) =>
      areCommitted(end) && number(seen(end, 2)[0]) === 3 && number(seen(end, 2)[1]) === 2 && inTheEnd(end, 'b') === 3,
    at: [],
  },
  {
    name: 'lost update (P4)',
    scene: {
      rows: ones,
      transactions: [
        [get('a'), put('a', 2)],
        [get('a'), put('a', 2)],
      ],
    },
    shows: (end) => areCommitted(end) && number(seen(end, 0)[0]) === 1 && number(seen(end, 1)[0]) === 1,
    at: ['read committed'],
  },
  {
    name: 'lost update of one statement',
    scene: { rows: ones, transactions: [[{ does: 'add', key: 'a', by: 1 }], [{ does: 'add', key: 'a', by: 1 }]] },
    shows: (end) => areCommitted(end) && inTheEnd(end, 'a') !== 3,
    at: [],
  },
  {
    name: 'lost update in spite of a lock',
    scene: {
      rows: ones,
      transactions: [
        [{ does: 'lock', key: 'a' }, put('a', 2)],
        [{ does: 'lock', key: 'a' }, put('a', 2)],
      ],
    },
    shows: (end) => areCommitted(end) && number(seen(end, 0)[0]) === 1 && number(seen(end, 1)[0]) === 1,
    at: [],
  },
  {
    name: 'fuzzy read (P2)',
    scene: { rows: ones, transactions: [[get('a'), get('a')], [put('a', 2)]] },
    shows: (end) => areCommitted(end) && number(seen(end, 0)[0]) !== number(seen(end, 0)[1]),
    at: ['read committed'],
  },
  {
    name: 'read skew (A5A, G-single)',
    scene: {
      rows: ones,
      transactions: [
        [get('a'), get('b')],
        [put('a', 2), put('b', 2)],
      ],
    },
    shows: (end) => areCommitted(end) && number(seen(end, 0)[0]) !== number(seen(end, 0)[1]),
    at: ['read committed'],
  },
  {
    name: 'phantom (P3, PMP)',
    scene: { rows: ones, transactions: [[scan, scan], [insert('c', { n: 1 })]] },
    shows: (end) => areCommitted(end) && rowsIn(seen(end, 0)[0]) !== rowsIn(seen(end, 0)[1]),
    at: ['read committed', 'repeatable read'],
  },
  {
    name: 'write skew, rows (A5B, G2-item)',
    scene: {
      rows: ones,
      transactions: [
        [get('a'), get('b'), put('a', 0)],
        [get('a'), get('b'), put('b', 0)],
      ],
    },
    shows: (end) => areCommitted(end) && number(seen(end, 0)[1]) === 1 && number(seen(end, 1)[0]) === 1,
    at: ['read committed', 'snapshot'],
  },
  {
    name: 'write skew, predicate (G2)',
    scene: {
      rows: ones,
      transactions: [
        [scan, insert('c', { n: 1 })],
        [scan, insert('d', { n: 1 })],
      ],
    },
    shows: (end) => areCommitted(end) && rowsIn(seen(end, 0)[0]) === 2 && rowsIn(seen(end, 1)[0]) === 2,
    at: ['read committed', 'repeatable read', 'snapshot'],
  },
  {
    name: 'write skew, rows that leave a condition',
    scene: {
      rows: ones,
      transactions: [
        [scan, put('a', 0)],
        [scan, put('b', 0)],
      ],
    },
    shows: (end) => areCommitted(end) && rowsIn(seen(end, 0)[0]) === 2 && rowsIn(seen(end, 1)[0]) === 2,
    at: ['read committed', 'snapshot'],
  },
  {
    name: 'a unique value that is given up, and is not',
    scene: {
      rows: { a: { n: 1, u: 1 } },
      transactions: [[{ does: 'delete', key: 'a' }, { does: 'roll back' }], [insert('c', { n: 1, u: 1 })]],
    },
    shows: (end) => inTheEnd(end, 'a') === 1 && inTheEnd(end, 'c') === 1,
    at: [],
  },
  {
    name: 'anomaly of a transaction that only reads',
    scene: {
      rows: { a: { n: 0 }, b: { n: 0 } },
      transactions: [
        [get('b'), put('b', 20)],
        [get('a'), get('b'), put('a', -11)],
        [get('a'), get('b')],
      ],
    },
    shows: (end) =>
      areCommitted(end) &&
      number(seen(end, 1)[1]) === 0 &&
      number(seen(end, 2)[0]) === 0 &&
      number(seen(end, 2)[1]) === 20,
    at: ['read committed', 'snapshot'],
  },
  {
    name: 'two rows with the same unique value',
    scene: { rows: ones, transactions: [[insert('c', { n: 1, u: 1 })], [insert('d', { n: 1, u: 1 })]] },
    shows: (end) => areCommitted(end) && inTheEnd(end, 'c') === 1 && inTheEnd(end, 'd') === 1,
    at: [],
  },
]
