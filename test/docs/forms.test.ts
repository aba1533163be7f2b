/** The guide lists every form of TypeScript that the front end of `prove` tells apart. `UPDATE_DOCS=1` writes the list. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { visitorKeys } from 'oxc-parser'
import { expect, test } from 'vitest'
import { formOf, knownTypes, readForms } from '../../src/frontends/typescript/icet/forms.ts'
import { knownNames } from '../../src/frontends/typescript/icet/pure-methods.ts'
import { root } from './session.ts'

const file = join(root, 'docs/guide/prove.md')
const [begin, end] = ['<!-- forms -->\n', '<!-- /forms -->']

test('the guide has the table of forms', () => {
  const page = readFileSync(file, 'utf8')
  const [before = '', rest = ''] = page.split(begin)
  const [, after = ''] = rest.split(end)
  const written = `${before}${begin}${table()}${end}${after}`
  if (process.env.UPDATE_DOCS === '1') writeFileSync(file, written)
  expect(readFileSync(file, 'utf8')).toBe(written)
})

test('every form that the parser knows is in the table', () => {
  expect(Object.keys(visitorKeys).filter((type) => !knownTypes.includes(type))).toEqual([])
})

test('a form that is not in the table is refused', () => {
  expect(formOf({ type: 'PipelineExpression' } as never)).toMatchObject({ reading: 'refused', computes: false })
})

function table(): string {
  const rows = ['exact', 'computed', 'refused'].flatMap((reading) =>
    readForms
      .filter((form) => form.reading === reading)
      .map(({ words, says }) => `| ${cell(words)} | ${reading} | ${cell(says)} |`),
  )
  return ['', '| form | read | |', '| --- | --- | --- |', ...new Set(rows), '', ...names(), ''].join('\n')
}

function names(): readonly string[] {
  const { methods, changing, functions, globals } = knownNames
  return [
    ...wrapped('Methods of arrays, maps, sets, texts and numbers that computations may call', methods),
    '',
    ...wrapped('Methods that change an object in place', changing),
    '',
    ...wrapped('Functions, beside those of `Math` except `random` and those of `console`', functions),
    '',
    ...wrapped('Globals', globals),
  ]
}

function wrapped(title: string, list: readonly string[]): readonly string[] {
  const lines: string[] = []
  let line = ''
  for (const word of [
    ...`${title}:`.split(' '),
    ...list.map((name, at) => `\`${name}\`${at + 1 < list.length ? ',' : '.'}`),
  ]) {
    if (line !== '' && line.length + word.length >= 100) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line]
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|')
}
