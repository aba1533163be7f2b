/** Files that users name: only regular ones are read, whole, and within limits; everything else is answered at once. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { isSealed, parsedJson, sealed } from '../../../src/artifact/artifact.ts'
import { atPath, namedBytes, namedText } from '../../../src/artifact/named-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'allways-named-file-'))
const server = createServer().listen(join(folder, 'socket'))
afterAll(() => {
  server.close()
  rmSync(folder, { recursive: true })
})

const kind = { what: 'trace', longest: 1_000, hint: 'name another' }

function path(name: string, content?: string | Buffer): string {
  const file = join(folder, name)
  if (content !== undefined) writeFileSync(file, content)
  return file
}

spawnSync('mkfifo', [path('pipe')])
symlinkSync('/dev/zero', path('endless'))
symlinkSync(path('circle'), path('circle'))
truncateSync(path('sparse', ''), 3_000_000_000)

describe('a file', () => {
  test('is read whole', () => {
    expect(namedText(path('text', 'größe'), kind, 'text')).toEqual({ ok: true, value: 'größe' })
    expect(namedBytes(path('bytes', Buffer.from([0, 255])), kind, 'bytes')).toEqual({
      ok: true,
      value: Buffer.from([0, 255]),
    })
    expect(namedText(path('empty', ''), kind, 'empty')).toEqual({ ok: true, value: '' })
  })

  test('of the largest size is read, and one byte more is not', () => {
    expect(namedText(path('fits', 'x'.repeat(1_000)), kind, 'fits')).toMatchObject({ ok: true })
    expect(namedText(path('over', 'x'.repeat(1_001)), kind, 'over')).toMatchObject({ ok: false })
  })

  test.each([
    ['pipe', 'it is a pipe, and not a file'],
    ['endless', 'it is a device, and not a file'],
    ['socket', 'it is a socket, and not a file'],
    ['circle', 'its links lead in a circle'],
    ['sparse', 'it has 3000.0 MB, and at most 0.0 MB are read'],
    ['missing', 'there is no such file'],
    ['.', 'it is a directory'],
    ['text/below', 'a part of its path is a file, and not a directory'],
    ['n'.repeat(5_000), 'its name is too long'],
    ['n\0l', 'its name has letters that no file has'],
  ])('that cannot be read is told: %s', (name, why) => {
    path('text', 'x')
    const read = namedText(path(name), kind, 'x.json')
    expect(read).toEqual({
      ok: false,
      diagnostics: [{ code: 'E101', message: `the trace x.json cannot be read: ${why}`, hint: 'name another' }],
    })
  })

  test('that has no size in the system is read', () => {
    expect(namedText('/proc/self/status', { ...kind, longest: 100_000 }, 'status')).toMatchObject({ ok: true })
    expect(namedText('/proc/self/status', { ...kind, longest: 10 }, 'status')).toMatchObject({ ok: false })
  })

  test('that is no UTF-8 is no text', () => {
    expect(namedText(path('latin', Buffer.from([0xe4])), kind, 'latin')).toMatchObject({ ok: false })
  })

  test('is told from what is none before anything is opened', () => {
    expect(atPath(path('pipe'))).toEqual({ kind: 'refused', why: 'it is a pipe, and not a file' })
    expect(atPath(path('socket'))).toMatchObject({ kind: 'refused' })
    expect(atPath(path('text'))).toEqual({ kind: 'file' })
    expect(atPath(folder)).toEqual({ kind: 'folder' })
  })
})

describe('JSON', () => {
  const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth)

  test('may be nested, may have long texts and long numbers, within limits', () => {
    for (const text of [nested(2_000), `"${'1'.repeat(5_000)}"`, '1'.repeat(400), '"[\\"[\\\\"', '[1,22,333]'])
      expect(parsedJson(text)).toEqual({ json: JSON.parse(text) })
  })

  test.each([
    ['nesting', nested(2_001), 'it is nested more than 2000 levels deep'],
    ['nesting behind a text', `["\\\\",${nested(2_000)}]`, 'it is nested more than 2000 levels deep'],
    ['digits', `[${'7'.repeat(401)}]`, 'it has a number with more than 400 digits'],
    ['a text that does not end', '"abc\\"', 'it is not JSON'],
    ['nothing', '', 'it is not JSON'],
  ])('is refused for %s', (_, text, why) => {
    expect(parsedJson(text)).toMatchObject({ why })
  })

  test('is sealed: every change is noticed, also after it was written and read', () => {
    const content = { b: [1, -0, 1e21, null], a: { '2': 'x', '1': undefined }, text: 'ü\n' }
    const read = JSON.parse(JSON.stringify(sealed(content)))
    expect(isSealed(read)).toBe(true)
    expect(isSealed({ ...read, text: 'ü' })).toBe(false)
    expect(isSealed({ ...read, c: 1 })).toBe(false)
    expect(isSealed({})).toBe(false)
  })
})
