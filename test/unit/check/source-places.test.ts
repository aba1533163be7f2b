import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { codeFrame, ownFolder, placeOf, userFrames } from '../../../src/check/source-places.ts'

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'places-test-')))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Writes a file and gives its path. */
function written(name: string, text: string): string {
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}

describe('the frames of a stack', () => {
  test('count for ordinary files, but not for ours, for packages and for Node', () => {
    const root = process.cwd()
    const stack = [
      'Error: at the top (of/nothing.ts:1:1)',
      '    at send (/elsewhere/node_modules/allways/dist/index.js:1:2)',
      `    at World.take (file://${dirname(ownFolder())}/src/semantics/world.ts:3:4)`,
      '    at node:internal/process/task_queues:95:5',
      '    at Generator.next (<anonymous>)',
      `    at async client (${root}/corpus/ring/model.check.ts:10:20)`,
      '    at file:///elsewhere/a%20b/main.mjs?v=1:5:6',
    ].join('\n')
    expect(userFrames(stack)).toEqual([
      'at client (corpus/ring/model.check.ts:10:20)',
      'at /elsewhere/a b/main.mjs:5:6',
    ])
    expect(placeOf(stack)).toEqual({ file: 'corpus/ring/model.check.ts', line: 10, column: 20 })
    expect(placeOf(undefined)).toBeUndefined()
  })
})

describe('a code frame', () => {
  test('shows the lines around a place, with a caret under it', () => {
    const path = written('a.ts', 'one\ntwo\n\tthree()\nfour\nfive\nsix')
    expect(codeFrame({ file: path, line: 3, column: 2 }, 1)).toBe(
      ['  2 | two', '> 3 |  three()', '    |  ^', '  4 | four'].join('\n'),
    )
    expect(codeFrame({ file: path, line: 1, column: 1 }, 0)).toBe('> 1 | one\n    | ^')
  })

  test('stays within 100 columns and keeps the caret under its character', () => {
    const path = written('wide.ts', `${'x'.repeat(200)}!${'y'.repeat(200)}\nshort`)
    const [line = '', caret = ''] = codeFrame({ file: path, line: 1, column: 201 })?.split('\n') ?? []
    expect(line.length).toBeLessThanOrEqual(100)
    expect(line[caret.indexOf('^')]).toBe('!')
  })

  test('is nothing for a place that is not there', () => {
    const path = written('a.ts', 'one')
    expect(codeFrame({ file: path, line: 9, column: 1 })).toBeUndefined()
    expect(codeFrame({ file: join(folder, 'gone.ts'), line: 1, column: 1 })).toBeUndefined()
  })
})
