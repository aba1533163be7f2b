/** A class that loses an update in Node is never said to be verified: it is violated, or refused at a line of its own. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { checkResult } from '../../src/check/check.ts'
import { cut, oneIn } from '../amount.ts'
import {
  keptInPackages,
  packages,
  sourceOf,
  type UncontrolledClass,
  uncontrolledClasses,
} from './uncontrolled-classes.ts'

const folder = mkdtempSync(join(tmpdir(), 'allways-uncontrolled-'))

for (const [name, source] of Object.entries(packages)) {
  const own = join(folder, 'node_modules', name)
  mkdirSync(own, { recursive: true })
  writeFileSync(join(own, 'package.json'), JSON.stringify({ name, type: 'module', main: 'index.js' }))
  writeFileSync(join(own, 'index.js'), source)
}

afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** What two calls at once give where nobody controls anything. */
async function inNode(source: string, name: string): Promise<unknown> {
  const path = join(folder, `${name}.mjs`)
  writeFileSync(path, source)
  const { Counter } = (await import(/* @vite-ignore */ pathToFileURL(path).href)) as {
    readonly Counter: new () => { increment(): Promise<number> }
  }
  const counter = new Counter()
  return await Promise.all([counter.increment(), counter.increment()])
}

async function underCheck(source: string, name: string): Promise<string> {
  const path = join(folder, `${name}.check.ts`)
  const declared = 'export default linearizable(Counter, { operations: { increment: [] }, calls: 1 })'
  writeFileSync(path, `import { linearizable } from 'allways'\n${source}\n${declared}\n`)
  const result = await checkResult(path, { time: 5000 })
  if (result.ok) return result.value.kind
  const misplaced = result.diagnostics.filter(({ place }) => place?.file.endsWith(`${name}.check.ts`) !== true)
  return misplaced.length === 0 ? 'refused' : `refused elsewhere: ${JSON.stringify(misplaced)}`
}

const numbered = uncontrolledClasses.map((one, at): [string, UncontrolledClass, string] => [
  one.name,
  one,
  `class${at}`,
])

test.each(oneIn(8, numbered))('%s', cut, async (_, one, name) => {
  const source = sourceOf(one)
  expect(await inNode(source, name)).toEqual([1, 1])
  expect(['violated', 'refused']).toContain(await underCheck(source, name))
})

test('the same counter without waiting is verified, and gives different numbers', async () => {
  const source = sourceOf({ name: 'at once', wait: '' })
  expect(await inNode(source, 'once')).toEqual([1, 2])
  expect(await underCheck(source, 'once')).toBe('verified')
})

test.each(keptInPackages.map((one) => [one.name, one.source] as const))('state kept in %s', async (name, source) => {
  expect(await inNode(source, name)).toEqual([1, 1])
  expect(['violated', 'refused']).toContain(await underCheck(source, name))
})
