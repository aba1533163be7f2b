/** What `answers.json` and the READMEs of the data structures say about their sources is true of the sources as they are. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { Section } from '../../corpus/answers.ts'
import { type ClassEntry, readClasses } from '../../corpus/class-entries.ts'

const structures = [
  'avl-map',
  'cas-tree',
  'coarse-map',
  'lock-striped-map',
  'michael-scott-queue',
  'optimistic-list',
  'rw-list',
]
const entries = readClasses().filter(({ name }) => structures.includes(name))

function linesOf(entry: string, file: string): readonly string[] {
  return readFileSync(new URL(`../../../corpus/${entry}/${file}`, import.meta.url), 'utf8').split('\n')
}

/** First and last line of a method, by the class that defines it. */
function methodLines(lines: readonly string[], name: string): readonly [number, number] {
  const [className, method] = name.split('.')
  const top = lines.findIndex((line) => line.startsWith(`export class ${className} `))
  const head = lines.findIndex((line, index) => index > top && new RegExp(`^ {2}(\\w+ )*${method}\\(`).test(line))
  const end = lines.findIndex((line, index) => index > head && line === '  }')
  return [head + 1, end + 1]
}

test('the corpus has all of them', () => {
  expect(entries.map(({ name }) => name)).toEqual(structures)
})

test('the corpus has the 27 clients of the thesis, three with other numbers than it prints', () => {
  const rows = entries.flatMap((entry) => entry.rows).filter(({ thesis }) => thesis !== undefined)
  expect(rows.length).toBe(27)
  const others = rows.filter(({ outcomes, thesis }) => JSON.stringify(outcomes) !== JSON.stringify(thesis))
  expect(others.map(({ id }) => id).sort()).toEqual(['AVL9', 'RW3', 'RW9'])
  expect(others.every(({ note }) => note !== undefined)).toBe(true)
})

test.each(entries)('$name has each of its classes where it says, and checks it', ({ name, classes }: ClassEntry) => {
  const model = linesOf(name, 'model.check.ts').join('\n')
  for (const [exported, { file, class: className }] of Object.entries(classes)) {
    const declared = exported === 'default' ? 'export default' : `export const ${exported} =`
    expect(linesOf(name, file).join('\n')).toMatch(new RegExp(`^export class ${className} `, 'm'))
    expect(model).toContain(`${declared} linearizable(${className}, {`)
  }
})

test.each(entries)('$name has rows only of broken classes, and checks those with the same clients', (entry) => {
  const model = linesOf(entry.name, 'model.check.ts').join('\n')
  const broken = Object.keys(entry.classes).filter((name) => name !== 'default')
  expect([...new Set(entry.rows.map((row) => row.program))].sort()).toEqual(broken.sort())
  for (const name of broken) {
    const check = model.slice(model.indexOf(`linearizable(${entry.classes[name]?.class},`)).split('\n})')[0] ?? ''
    const clients = [...check.matchAll(/'(\{.*?\})'/g)].map(([, client]) => client)
    expect(clients).toEqual(entry.rows.filter((row) => row.program === name).map((row) => row.client))
  }
})

test.each(entries)('$name repairs sections that lie inside the functions they name', ({ name, rows }) => {
  const sections: readonly Section[] = rows.flatMap((row) => row.repairs ?? []).flatMap((repair) => repair.sections)
  expect(sections.length).toBeGreaterThan(0)
  for (const { file, function: called, lines } of sections) {
    const [first, last] = methodLines(linesOf(name, file), called)
    expect(first).toBeGreaterThan(0)
    expect([first < lines[0], lines[0] <= lines[1], lines[1] < last], `${called} ${lines}`).toEqual([true, true, true])
  }
})

test.each(entries)('$name says in its README what is on which line, and why the numbers', ({ name, rows, classes }) => {
  const readme = linesOf(name, 'README.md')
  const text = readme.join('\n')
  for (const exported of Object.keys(classes)) expect(text).toContain(`\`${exported}\``)
  for (const { id, outcomes } of rows) {
    const row = readme.find((line) => line.startsWith(`| ${id} `))
    expect(row).toContain(`| ${outcomes.linearizable} / ${outcomes.other} `)
  }
  for (const line of readme) {
    const code = /`([^`]+)`/.exec(line)?.[1] ?? ''
    for (const [, file = '', number] of line.matchAll(/([\w-]+\.ts):(\d+)/g)) {
      expect(linesOf(name, file)[Number(number) - 1], `${file}:${number}`).toContain(code)
    }
  }
})
