/**
 * The first-ranked root cause of each client of the thesis' libraries (Table 2.2) is the thesis' one, as far as that rules out every
 * bad outcome of the client, and leaves no bad outcome when it is applied.
 */
import { describe, expect, test } from 'vitest'
import { clientCauses } from '../../src/check/objects/causes.ts'
import type { AtomicSection } from '../../src/core/code.ts'
import { atOnce, type Unhurried } from '../../src/core/unhurried.ts'
import { parseClient } from '../../src/properties/linearizability/client-text.ts'
import { isSlow, longIf } from '../amount.ts'
import type { Section } from './answers.ts'
import { type ClassEntry, type ClassRow, readClasses } from './class-entries.ts'
import { explore, requestFor } from './objects.ts'

const libraries = ['afek-stack', 'rw-list', 'optimistic-list', 'avl-map']

/** One of each kind of data is enough while one works. */
const quick = new Set(['AS1', 'RW1'])

/** Rows whose state graphs take long to sample. */
const slow = new Set(['OPT2', 'OPT3', 'OPT6', 'OPT9', 'AVL1', 'AVL2', 'AVL3', 'AVL4', 'AVL5', 'AVL6', 'AVL8', 'AVL9'])

for (const entry of readClasses().filter(({ name }) => libraries.includes(name))) {
  describe(entry.name, () => {
    for (const [at, row] of entry.rows.entries()) {
      const wanted = row.repairs?.find(({ leaves }) => leaves === 0)
      if (wanted === undefined) continue
      const expected = words(wanted.sections)
      const skip = slow.has(row.id) && !isSlow
      test.skipIf(skip)(
        `${row.id}: ${expected}`,
        longIf(!quick.has(row.id), at % 6 > 0 || row.id === 'AVL7'),
        async () => {
          const request = await requestOf(entry, row)
          const unlessOver = async <Answer>(work: Unhurried<Answer>) => atOnce(work)
          const found = await clientCauses({ judged: request, client: clientFor(row), seed: 0, unlessOver })
          const { repairs = [], serial } = found?.initial ?? {}
          const sections = repairs[0]?.sections ?? []
          expect(serial).toBe(0)
          expect(inEntry(entry, sections)).toBe(expected)
          expect(explore(request, row.client, sections).other).toEqual([])
        },
      )
    }
  })
}

function requestOf(entry: ClassEntry, row: ClassRow) {
  return requestFor(entry.name, row.program, row.options)
}

function clientFor(row: ClassRow) {
  const client = parseClient(row.client)
  if (!client.ok) throw new Error(row.client)
  return client.value
}

function inEntry({ name }: ClassEntry, sections: readonly AtomicSection[]): string {
  return words(
    sections.map(({ file, function: code, lines }) => ({
      file: file.replace(`corpus/${name}/`, ''),
      function: code,
      lines: [lines.first, lines.last] as const,
    })),
  )
}

function words(sections: readonly Section[]): string {
  return sections
    .map(({ file, function: code, lines: [first, last] }) => `${file} ${code} ${first}–${last}`)
    .sort()
    .join(', ')
}
