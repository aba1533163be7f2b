/** Files that allways writes: whole or not at all, never through a link, for their owner alone. */
import {
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
import { writeWhole } from '../../../src/artifact/write.ts'

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
