/** Folders of ours that are links: what is written stays within the folder that they lie in, unless the user put them elsewhere. */
import { existsSync, lchownSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getuid, platform } from 'node:process'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { writeNew, writeWhole } from '../../../src/artifact/write.ts'
import { keyIn } from '../../../src/cli/key-file.ts'

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'allways-linked-')))
const [project, elsewhere] = [join(folder, 'project'), join(folder, 'elsewhere')]
afterAll(() => rmSync(folder, { recursive: true }))

describe.skipIf(platform === 'win32')('.allways', () => {
  beforeEach(() => {
    for (const one of [project, elsewhere]) {
      rmSync(one, { recursive: true, force: true })
      mkdirSync(one)
    }
  })

  const trace = join(project, '.allways/traces/x.trace.json')

  test('that is a link to a folder outside of the one it lies in is not written through', () => {
    symlinkSync(elsewhere, join(project, '.allways'))
    expect(() => writeWhole(trace, 'x')).toThrow('ELOOP')
    expect(() => writeNew(join(project, '.allways/key'), 'x')).toThrow('ELOOP')
    expect(readdirSync(elsewhere)).toEqual([])
  })

  test('that is a link by way of another is not written through either', () => {
    symlinkSync(elsewhere, join(project, 'between'))
    symlinkSync('between', join(project, '.allways'))
    expect(() => writeWhole(trace, 'x')).toThrow('ELOOP')
    expect(readdirSync(elsewhere)).toEqual([])
  })

  test('that is a link to nothing makes nothing', () => {
    symlinkSync(join(folder, 'missing'), join(project, '.allways'))
    expect(() => writeWhole(trace, 'x')).toThrow()
    expect(existsSync(join(folder, 'missing'))).toBe(false)
  })

  test('below which a folder is a link is not written through', () => {
    mkdirSync(join(project, '.allways'))
    symlinkSync(elsewhere, join(project, '.allways/traces'))
    expect(() => writeWhole(trace, 'x')).toThrow('ELOOP')
    expect(readdirSync(elsewhere)).toEqual([])
  })

  test('that is a link to a folder beside it is where the user put it', () => {
    mkdirSync(join(project, 'output'))
    symlinkSync('output', join(project, '.allways'))
    writeWhole(trace, 'x')
    expect(readdirSync(join(project, 'output/traces'))).toEqual(['x.trace.json'])
  })

  test.runIf(getuid?.() === 0)('that is a link of another user is not written through, wherever it leads', () => {
    mkdirSync(join(project, 'output'))
    symlinkSync('output', join(project, '.allways'))
    lchownSync(join(project, '.allways'), 12_345, 12_345)
    expect(() => writeWhole(trace, 'x')).toThrow('ELOOP')
    expect(readdirSync(join(project, 'output'))).toEqual([])
  })

  test('that leads elsewhere is a diagnostic where a key is wanted', () => {
    symlinkSync(elsewhere, join(project, '.allways'))
    const message = 'no key could be made in .allways/key: .allways is a link that leads out of its folder'
    expect(keyIn(undefined, project)).toMatchObject({ ok: false, diagnostics: [{ code: 'E107', message }] })
  })

  test('of other folders that are links nothing is asked', () => {
    symlinkSync(elsewhere, join(project, 'mine'))
    writeWhole(join(project, 'mine/x.trace.json'), 'x')
    expect(readdirSync(elsewhere)).toEqual(['x.trace.json'])
  })
})
