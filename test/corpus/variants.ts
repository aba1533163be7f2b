/** Whether variants of the stateful search agree with the full search on clients of the classes in the corpus. */
import type { Criterion } from '../../src/core/verdict.ts'
import type { Client } from '../../src/properties/linearizability/client.ts'
import { compare } from '../agreement/object-compare.ts'
import { clientOf } from '../agreement/object-search.ts'
import type { StatefulSetting } from '../stateful-setting.ts'
import { type ClassEntry, type ClassRow, readClasses } from './class-entries.ts'
import { requestFor } from './objects.ts'

/** Rows whose full search takes less than a second. */
const small = new Set(
  'AS1 AS2 AS3 AS4 CM1 CM2 CP1 CP2 JQ1 JQ2 LRU1 LRU2 LSM1 LSM2 LSM3 LSM5 MSQ1 MSQ2 MSQ4 RL1 RW1 RW4 RW7'.split(' '),
)
export const rows = readClasses().flatMap((entry) => entry.rows.map((row) => ({ entry, row, title: row.id })))
/** Beyond these, a full search is given up. */
export const usualTransitions = 20_000

interface Case {
  readonly entry: ClassEntry
  readonly row: ClassRow
}

export function isSmall({ row }: Case): boolean {
  return small.has(row.id)
}

/** Three processes of the trees and of the optimistic list are too much even with one call each. */
export function isCut({ entry, row }: Case): boolean {
  const isLarge = entry.name === 'cas-tree' || entry.name === 'optimistic-list'
  return !isSmall({ entry, row }) && !(isLarge && clientOf(row.client).processes.length > 2)
}

export function seedOf({ id }: ClassRow): number {
  return [...id].reduce((seed, letter) => Math.imul(seed, 31) + letter.charCodeAt(0), 7)
}

export async function agreement(
  entry: ClassEntry,
  exportName: string,
  client: Client,
  criterion: Criterion,
  variants: readonly StatefulSetting[],
  mostTransitions = usualTransitions,
): Promise<string> {
  const request = await requestFor(entry.name, exportName, { criterion })
  const compared = compare({ request, client, variants, seed: 1, mostTransitions })
  return compared.kind === 'disagree' ? `${exportName}: ${compared.problem}` : compared.kind
}
