/** The key that machines and checkers share: found by itself, kept for its owner. */
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { getuid, platform } from 'node:process'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ioOf } from '../../src/cli/io.ts'
import { keyIn } from '../../src/cli/key-file.ts'
import { main } from '../../src/cli/main.ts'
import { parseAddress } from '../../src/runtime/address.ts'
import { ControlClient } from '../../src/runtime/control-client.ts'
import { long } from '../amount.ts'

const counter = resolve('test/runtime/fixtures/counter.check.ts')
const hasModes = platform !== 'win32'
let folder = ''

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'allways-key-'))
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

function keyText(): string {
  return readFileSync(join(folder, '.allways', 'key'), 'utf8')
}

/** In the folder, until `whenUp` has done what it wants to do with the address of the control channel. */
async function running(argv: readonly string[], whenUp: (control: string) => Promise<unknown>) {
  let stop = (): void => {}
  let told = ''
  let up: Promise<unknown> | undefined
  const sink = (write: (text: string) => void) => ({ write, isTTY: false, columns: 100 })
  const io = ioOf({
    cwd: folder,
    env: {},
    stdout: sink(() => {}),
    stderr: sink((text) => {
      told += text
      const control = /control is at (\S+)\n/.exec(told)?.[1]
      if (control !== undefined) up ??= whenUp(control).finally(() => stop())
    }),
    onInterrupt(listener) {
      stop = listener
      return () => {}
    },
  })
  const code = await main(['run', counter, '--all', '--no-requests', ...argv], io)
  await up
  return { code, told }
}

async function asked(control: string, key: string) {
  const address = parseAddress(control, 'control')
  if (!address.ok) throw new Error(control)
  return await ControlClient.connect(address.value, Buffer.from(key))
}

test(
  'the first command makes a key for its owner alone, says so once, and those that have it are answered',
  long,
  async () => {
    const first = await running(['--control', '127.0.0.1:0'], async (control) => {
      const friend = await asked(control, keyText().trim())
      expect(friend).toMatchObject({ ok: true, value: { machine: 'client' } })
      if (friend.ok) expect(await friend.value.state()).toMatchObject({ ok: true })
      if (friend.ok) friend.value.close()
    })
    expect(first.told).toContain('note: .allways/key is new')
    expect(first.code).toBe(0)
    const made = keyText()
    expect(made).toMatch(/^[0-9a-f]{64}\n$/)
    if (hasModes) expect(statSync(join(folder, '.allways', 'key')).mode & 0o777).toBe(0o600)
    const second = await running(['--control', '127.0.0.1:0'], async () => {})
    expect(second.told).not.toContain('note: .allways/key')
    expect(keyText()).toBe(made)
    expect(readdirSync(join(folder, '.allways'))).toEqual(['.gitignore', 'key'])
    expect(readFileSync(join(folder, '.allways', '.gitignore'), 'utf8')).toBe('key\n')
  },
)

test('another user of the computer cannot stop a machine: there is no control without the key', long, async () => {
  const ran = await running(['--control', '127.0.0.1:0'], async (control) => {
    expect(await asked(control, 'a guess of sixteen bytes')).toMatchObject({ diagnostics: [{ code: 'E607' }] })
    const [host, port] = control.split(':')
    const socket = connect(Number(port), host)
    socket.write(`${JSON.stringify({ payload: JSON.stringify({ id: 1, command: 'stop', nonce: '' }) })}\n`)
    socket.resume()
    await new Promise((closed) => socket.on('close', closed))
    expect(await asked(control, keyText().trim())).toMatchObject({ ok: true, value: { machine: 'client' } })
  })
  expect(ran.code).toBe(0)
})

test('of many that make the key at once, one does, and all have the same', async () => {
  const keys = await Promise.all(Array.from({ length: 20 }, async () => keyIn(undefined, folder)))
  const made = keys.map((key) => (key.ok ? [key.value.bytes.toString(), key.value.isMade] : []))
  expect(new Set(made.map(([bytes]) => bytes)).size).toBe(1)
  expect(made.filter(([, isMade]) => isMade)).toHaveLength(1)
})

test.runIf(hasModes)('a key that others can read is used, with a warning that says how to close it', async () => {
  writeFileSync(join(folder, 'open'), 'a secret of sixteen bytes or more')
  chmodSync(join(folder, 'open'), 0o640)
  const ran = await running(['--control', '127.0.0.1:0', '--key-file', 'open'], async () => {})
  expect(ran.told).toContain('E609  open can be read or changed by other users')
  expect(ran.told).toContain('hint: chmod 600 open')
  expect(ran.code).toBe(0)
  expect(readdirSync(folder)).toEqual(['open'])
  chmodSync(join(folder, 'open'), 0o600)
  const closed = await running(['--control', '127.0.0.1:0', '--key-file', 'open'], async () => {})
  expect(closed.told).not.toContain('E609')
})

test.runIf(hasModes && getuid?.() === 0)('a key that somebody else left in the folder is refused', async () => {
  const { chownSync } = await import('node:fs')
  mkdirSync(join(folder, '.allways'))
  writeFileSync(join(folder, '.allways', 'key'), 'a secret that somebody else knows', { mode: 0o600 })
  chownSync(join(folder, '.allways', 'key'), 12_345, 12_345)
  const ran = await running([], async () => {})
  expect(ran.told).toContain('E609  .allways/key belongs to another user')
  expect(ran.code).toBe(2)
})

test('a folder in which no key can be made is a mistake, unless a key is named', async () => {
  writeFileSync(join(folder, '.allways'), '')
  const ran = await running([], async () => {})
  expect(ran.told).toContain('E101  the key .allways/key cannot be read: a part of its path is a file')
  expect(ran.told).toContain('--key-file')
  expect(ran.code).toBe(2)
})

test('a command line that is refused makes no key', async () => {
  expect((await running(['--loss', 'much'], async () => {})).code).toBe(2)
  expect(readdirSync(folder)).toEqual([])
})
