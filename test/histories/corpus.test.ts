/** The histories of corpus/histories: as generated, and with the answers known from how they are made. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type CorpusHistory, corpusHistories } from '../../corpus/histories/generate.ts'
import { historyLines, readHistory } from '../../src/check/history-file.ts'
import { decideHistory } from '../../src/properties/linearizability/decide-history.ts'

const folder = resolve(import.meta.dirname, '../../corpus/histories')
const histories = corpusHistories()

/** `UPDATE_HISTORIES=1` writes the files. */
if (process.env.UPDATE_HISTORIES === '1') {
  for (const { file, history, header } of histories) writeFileSync(resolve(folder, file), textOf({ history, header }))
}

test('the folder holds what the generator makes and nothing else', () => {
  const files = readdirSync(folder).filter((name) => name.endsWith('.jsonl'))
  expect(files.sort()).toEqual(histories.map(({ file }) => file).sort())
})

describe.each(histories)('$file', ({ file, history, header, linearizable }) => {
  const path = resolve(folder, file)

  test('is what the generator makes', () => {
    expect(existsSync(path) && readFileSync(path, 'utf8')).toBe(textOf({ history, header }))
  })

  test.each([{ shortcuts: true }, { shortcuts: false }])(
    `is ${linearizable ? '' : 'not '}linearizable with %o`,
    (options) => {
      const recorded = readHistory(path)
      if (!recorded.ok || recorded.value.specification === undefined) throw new Error(JSON.stringify(recorded))
      const found = decideHistory(recorded.value.history, recorded.value.specification, options)
      if (!found.ok) throw new Error(JSON.stringify(found))
      expect(found.value.linearizable).toBe(linearizable)
      if (found.value.linearizable) return
      // The contradiction is in the last call, and nothing before it is wrong.
      const last = recorded.value.history.calls.at(-1)
      expect(found.value.stuck).toBe(last)
      expect(found.value.longestPrefix).not.toContain(last)
    },
  )
})

function textOf({ history, header }: Pick<CorpusHistory, 'history' | 'header'>): string {
  return `${[...historyLines(history, header)].join('\n')}\n`
}
