/**
 * Every client of the corpus' classes: how many outcomes some order of whole calls explains and how many none does, for the
 * class named and for the correct one, and what is left of the latter when lines are made atomic.
 */
import { describe, expect, test } from 'vitest'
import type { AtomicSection } from '../../src/core/code.ts'
import { longIf } from '../amount.ts'
import type { Repair } from './answers.ts'
import { type ClassEntry, type ClassRow, readClasses } from './class-entries.ts'
import { type Explored, explore, requestFor } from './objects.ts'

const explored = new Map<string, Explored>()

for (const entry of readClasses()) {
  describe(entry.name, () => {
    for (const [at, row] of entry.rows.entries()) {
      // One client of each class has met them all.
      const tags = longIf(at > 0, at % 5 > 0)
      test(
        `${row.id} has ${row.outcomes.linearizable} linearizable and ${row.outcomes.other} other outcomes`,
        tags,
        async () => {
          const { linearizable, other } = await outcomesOf(entry, row)
          expect({ linearizable: linearizable.length, other: other.length }).toEqual(row.outcomes)
        },
      )

      test(`${row.id} has the same linearizable outcomes and no others with the correct class`, tags, async () => {
        const broken = await outcomesOf(entry, row)
        const correct = await outcomesOf(entry, { ...row, program: 'default' })
        expect(correct.other).toEqual([])
        expect(correct.linearizable).toEqual(broken.linearizable)
      })

      for (const [index, repair] of (row.repairs ?? []).entries()) {
        test(
          `${row.id} has ${repair.leaves} other outcomes left with repair ${index + 1}, and loses no linearizable one`,
          tags,
          async () => {
            const before = await outcomesOf(entry, row)
            const after = explore(await requestOf(entry, row), row.client, sectionsOf(entry, repair))
            expect(after.other.length).toBe(repair.leaves)
            expect(after.linearizable).toEqual(before.linearizable)
          },
        )
      }
    }
  })
}

/** Each class and client is explored once, whichever test comes first. */
async function outcomesOf(entry: ClassEntry, row: ClassRow): Promise<Explored> {
  const key = `${entry.name} ${row.program} ${row.client} ${JSON.stringify(row.options)}`
  const known = explored.get(key) ?? explore(await requestOf(entry, row), row.client)
  explored.set(key, known)
  return known
}

function requestOf({ name }: ClassEntry, { program, options }: ClassRow) {
  return requestFor(name, program, options)
}

function sectionsOf(entry: ClassEntry, repair: Repair): readonly AtomicSection[] {
  return repair.sections.map(({ file, function: name, lines: [first, last] }) => ({
    file: `corpus/${entry.name}/${file}`,
    function: name,
    lines: { first, last },
  }))
}
