import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

test('decisions are numbered from 1 on, each with a number of its own that its heading has as well', () => {
  const names = readdirSync('docs/adr').sort()
  const numbers = names.map((name) => Number(name.slice(0, 4)))
  expect(numbers).toEqual(names.map((_, at) => at + 1))
  const headings = names.map((name) => Number(/^# (\d+)\. /.exec(readFileSync(`docs/adr/${name}`, 'utf8'))?.[1]))
  expect(headings).toEqual(numbers)
})
