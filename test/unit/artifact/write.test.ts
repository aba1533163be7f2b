/** Files that allways writes: whole or not at all, never through a link, for their owner alone. */
import {
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openToAppend, writeWhole } from '../../../src/artifact/write.ts'

const folder = mkdtempSync(join(tmpdir(), 'allways-write-'))
afterAll(() => rmSync(folder, { recursive: true }))

test('a file is made with the folders above, for its owner alone', () => {
  const path = join(folder, 'a/b/c.json')
  writeWhole(path, 'one')
  writeWhole(path, 'two')
  expect(readFileSync(path, 'utf8')).toBe('two')
  expect(statSync(path).mode & 0o777).toBe(0o600)
  expect(readdirSync(join(folder, 'a/b'))).toEqual(['c.json'])
})

test('a link in its place is replaced, and what it leads to is not touched', () => {
  const [path, target] = [join(folder, 'link.json'), join(folder, 'target')]
  writeFileSync(target, 'precious')
  symlinkSync(target, path)
  writeWhole(path, 'new')
  expect(readFileSync(target, 'utf8')).toBe('precious')
  expect(lstatSync(path).isFile()).toBe(true)
})

test('a file is added to, or made for its owner alone', () => {
  const path = join(folder, 'log')
  for (const text of ['one', 'two']) {
    const file = openToAppend(path)
    writeFileSync(file, text)
    closeSync(file)
  }
  expect(readFileSync(path, 'utf8')).toBe('onetwo')
  expect(statSync(path).mode & 0o777).toBe(0o600)
})

test.each([
  ['a link to a file', 'a-link', 'it is a link'],
  ['a link to nothing', 'dead-link', 'it is a link'],
  ['a folder', 'a-folder', 'it is not a regular file'],
])('%s is not added to', (_, name, why) => {
  writeFileSync(join(folder, 'kept'), 'precious')
  if (name === 'a-link') symlinkSync(join(folder, 'kept'), join(folder, name))
  if (name === 'dead-link') symlinkSync(join(folder, 'to-be-made'), join(folder, name))
  if (name === 'a-folder') mkdirSync(join(folder, name))
  expect(() => openToAppend(join(folder, name))).toThrow(why)
  expect(existsSync(join(folder, 'to-be-made'))).toBe(false)
})

test('a file that cannot be finished leaves nothing behind', () => {
  const path = join(folder, 'full')
  mkdirSync(path)
  writeFileSync(join(path, 'inside'), '')
  expect(() => writeWhole(path, 'x')).toThrow()
  const flush = () => {
    throw new Error('the disk is full')
  }
  expect(() => writeWhole(join(folder, 'never'), 'x', { flush })).toThrow('the disk is full')
  expect(existsSync(join(folder, 'never'))).toBe(false)
  expect(readdirSync(folder).filter((name) => name.endsWith('.tmp'))).toEqual([])
})
