/** What is written out before a file is read does not move what stands behind it. */
import { originalPositionFor, TraceMap } from '@jridgewell/trace-mapping'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { orThrow } from '../../../../src/core/diagnostic.ts'
import { EditedText } from '../../../../src/frontends/typescript/access/edited-text.ts'
import { transformObjects } from '../../../../src/frontends/typescript/access/transform-objects.ts'

test('what was not changed is found where it was', () => {
  const edits = fc.array(fc.tuple(fc.nat(6), fc.nat(2), fc.stringMatching(/^[A-Z]{0,4}$/)))
  fc.assert(
    fc.property(edits, (drawn) => {
      const before = 'abcdefghijklmnopqrstuvwxyz0123456789'
      let at = 0
      const placed = drawn.flatMap(([gap, removed, inserted]) => {
        const edit = { at: at + gap, removed, inserted }
        at += gap + removed
        return at > before.length ? [] : [edit]
      })
      const edited = new EditedText(before, placed)
      for (const [offset, letter] of [...edited.text].entries())
        if (!/[A-Z]/.test(letter)) expect(before[edited.offsetBefore(offset)]).toBe(letter)
    }),
  )
})

test('the source map leads to what the user wrote', () => {
  const source = `export class Held {
  take() { using held = lend(); return missing(held) }
}
`
  const { code, map } = orThrow(transformObjects(source, 'held.ts'))
  const traced = new TraceMap(map)
  expect(traced.sourcesContent).toEqual([source])
  const lines = code.split('\n')
  const line = lines.findIndex((text) => text.includes('missing'))
  const found = originalPositionFor(traced, { line: line + 1, column: lines[line]?.indexOf('missing') as number })
  expect(found).toMatchObject({ line: 2, column: source.split('\n')[1]?.indexOf('missing') })
})
