/** Whatever `npm test` has less of than a change is tested with is marked, so that it is among what is run afterwards. */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const folder = fileURLToPath(new URL('..', import.meta.url))
const texts = new Map(
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !/^(?:amount|architecture.amounts\.test)\.ts$/.test(name))
    .map((name) => [name, readFileSync(join(folder, name), 'utf8')] as const),
)

/** Of the modules that tests share, those who import them. */
function askers(names: readonly string[]): readonly string[] {
  return names.flatMap((name) => {
    if (name.endsWith('.test.ts')) return [name]
    return askers([...texts.keys()].filter((other) => importsOf(other).includes(name)))
  })
}

/** Types alone generate nothing. */
function importsOf(name: string): readonly string[] {
  const found = (texts.get(name) ?? '').matchAll(/^(?:import(?! type) .*|\}) from '(\..*)'$/gm)
  return [...found].map(([, path = '']) => join(dirname(name), path))
}

test('a file that generates less in npm test has tests with a tag that says so', () => {
  const asking = [...texts].flatMap(([name, text]) =>
    /\bthorough: |\bquick: .*\brest: |\bisQuick\b|\boneIn\b/.test(text) ? [name] : [],
  )
  expect(asking.length).toBeGreaterThan(40)
  const isMarked = (name: string) => /@module-tag cut$|\bcut\b.*amount\.ts'/m.test(texts.get(name) ?? '')
  expect(askers(asking).filter((name) => !isMarked(name))).toEqual([])
})
