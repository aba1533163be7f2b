/** Every command loads what it imports before it does anything, so that what only some programs need is imported when one of them comes. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const sources = fileURLToPath(new URL('../../src', import.meta.url))

/** What is loaded with a file, packages included: imports that are awaited in functions are not. */
function loadedWith(entry: string): ReadonlySet<string> {
  const found = new Set<string>()
  const visit = (name: string): void => {
    if (found.has(name)) return
    found.add(name)
    if (!existsSync(join(sources, name))) return
    const text = readFileSync(join(sources, name), 'utf8')
    for (const [, specifier = ''] of text.matchAll(/^(?:(?:im|ex)port (?!type ).*|\}) from '(.*)'$/gm))
      visit(specifier.startsWith('.') ? join(name, '..', specifier) : specifier)
  }
  visit(entry)
  return found
}

const ofSources = ['esbuild', 'oxc-parser', 'frontends/typescript/parse.ts', 'check/load-bundle.ts']

test.each(['cli/main.ts', 'cli/commands/check.ts'])('%s is loaded without what reads TypeScript', (entry) => {
  const loaded = loadedWith(entry)
  expect([...loaded]).toContain('engines/symbolic/symbolic.ts')
  expect(ofSources.filter((name) => loaded.has(name))).toEqual([])
})

test('a check file is loaded with all of it', () => {
  const loaded = loadedWith('check/load-check-file.ts')
  expect(ofSources.filter((name) => loaded.has(name))).toEqual(ofSources)
})
