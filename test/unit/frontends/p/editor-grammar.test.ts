import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { keywords, verifierWords } from '../../../../src/frontends/p/words.ts'

interface Rule {
  readonly name?: string
  readonly match?: string
  readonly patterns?: readonly Rule[]
}

const file = new URL('../../../../editors/p/syntaxes/p.tmLanguage.json', import.meta.url)
const { repository } = JSON.parse(readFileSync(file, 'utf8')) as { repository: Record<string, Rule> }

test('the grammar for editors colours every word of the language, each of them once', () => {
  const rules = repository.words?.patterns ?? []
  const colours = (word: string) =>
    rules.flatMap(({ name, match = '(?!)' }) => (new RegExp(`^(?:${match})$`).test(word) ? [name] : []))
  expect([...keywords].filter((word) => colours(word).length !== 1)).toEqual([])
  expect([...verifierWords].filter((word) => colours(word).join() !== 'invalid.illegal.p')).toEqual([])
  expect(['x', 'Main', 'eventually', 'Invariant'].flatMap(colours)).toEqual([])
})

test('its expressions are right', () => {
  const all = Object.values(repository).flatMap((rule) => [rule, ...(rule.patterns ?? [])])
  const matches = all.flatMap(({ match }) => (match === undefined ? [] : [new RegExp(match)]))
  expect(matches.length).toBeGreaterThan(10)
})
