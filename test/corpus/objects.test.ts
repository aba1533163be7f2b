/**
 * Every client of the corpus' classes: how many outcomes some order of whole calls explains and how many none does, for the
 * class named and for the correct one, and what is left of the latter when lines are made atomic.
 */
import { describe, expect, test } from 'vitest'
import type { AtomicSection } from '../../src/core/code.ts'
import { type ObjectEntry, type ObjectRow, readObjects } from './entries.ts'
import { type Explored, explore, requestFor } from './objects.ts'

const explored = new Map<string, Explored>()

for (const entry of readObjects()) {
  describe(entry.name, () => {
    for (const row of entry.rows) {
      test(`${row.id} has ${row.outcomes.linearizable} linearizable and ${row.outcomes.other} other outcomes`, async () => {
        const { linearizable, other } = await outcomesOf(entry, row.class, row.client)
        expect({ linearizable: linearizable.length, other: other.length }).toEqual(row.outcomes)
      })

      test(`${row.id} has the same linearizable outcomes and no others with the correct class`, async () => {
        const broken = await outcomesOf(entry, row.class, row.client)
        const correct = await outcomesOf(entry, entry.correct, row.client)
        expect(correct.other).toEqual([])
        expect(correct.linearizable).toEqual(broken.linearizable)
      })

      for (const [index, repair] of (row.repairs ?? []).entries()) {
        test(`${row.id} has ${repair.leaves} other outcomes left with repair ${index + 1}, and loses no linearizable one`, async () => {
          const before = await outcomesOf(entry, row.class, row.client)
          const after = explore(await requestOf(entry, row.class), row.client, sectionsOf(entry, repair))
          expect(after.other.length).toBe(repair.leaves)
          expect(after.linearizable).toEqual(before.linearizable)
        })
      }
    }
  })
}

/** Each class and client is explored once, whichever test comes first. */
async function outcomesOf(entry: ObjectEntry, className: string, client: string): Promise<Explored> {
  const key = `${entry.name} ${className} ${client}`
  const known = explored.get(key) ?? explore(await requestOf(entry, className), client)
  explored.set(key, known)
  return known
}

function requestOf(entry: ObjectEntry, className: string) {
  return requestFor(entry.name, entry.classes[className]?.export ?? '', { criterion: 'outcomes' })
}

function sectionsOf(entry: ObjectEntry, repair: NonNullable<ObjectRow['repairs']>[number]): readonly AtomicSection[] {
  return repair.sections.map(({ file, function: name, lines: [first, last] }) => ({
    file: `corpus/${entry.name}/${file}`,
    function: name,
    lines: { first, last },
  }))
}
