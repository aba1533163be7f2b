/** A word of the glossary names one type, so that who reads it knows what is meant. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))
const [, glossary = ''] = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8').split('## Glossary')
const words = [...glossary.matchAll(/\*([a-z ]+)\*/gi)].map(([, word = '']) =>
  word.replaceAll(/(?:^| )([a-z])/gi, (_, letter: string) => letter.toUpperCase()),
)

/** What users of a platform know by that name. */
const ofPlatforms = ['src/jobs/host/event-target.ts']
/** What users write, and what becomes of it. */
const ofUsers = ['src/model/actions.ts']

const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => join('src', name))
  .filter((name) => ![...ofPlatforms, ...ofUsers].includes(name))

test('each word of the glossary is exported by one file at most', () => {
  const exported = new Map<string, string[]>()
  for (const file of files) {
    const text = readFileSync(join(root, file), 'utf8')
    for (const [, name = ''] of text.matchAll(/^export (?:abstract )?(?:class|interface|type) (\w+)/gm))
      exported.set(name, [...(exported.get(name) ?? []), file])
  }
  expect(words.length).toBeGreaterThan(30)
  const found = words.filter((word) => exported.has(word))
  expect(found.length).toBeGreaterThan(10)
  expect(words.flatMap((word) => ((exported.get(word)?.length ?? 0) > 1 ? [[word, exported.get(word)]] : []))).toEqual(
    [],
  )
})
