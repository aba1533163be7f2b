/** Machines in processes of their own: killed, started again, stopped. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { execPath } from 'node:process'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type HostAddress, parseAddress } from '../../src/runtime/address.ts'
import { ControlClient } from '../../src/runtime/control-client.ts'
import { long } from '../amount.ts'
import { reservedPorts } from '../reserved-ports.ts'

let folder = ''
const system = resolve('test/runtime/fixtures/counter.check.ts')
const children: ChildProcess[] = []

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'allways-runtime-'))
})

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

interface Running {
  readonly child: ChildProcess
  readonly control: ControlClient
  /** Waits for its end. */
  ended(): Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }>
}

async function start(...argv: readonly string[]): Promise<Running> {
  const all = [resolve('bin/allways.mjs'), 'run', system, '--control', '127.0.0.1:0', ...argv]
  const child = spawn(execPath, all, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] })
  children.push(child)
  const text = { stdout: '', stderr: '' }
  child.stdout?.setEncoding('utf8').on('data', (more: string) => (text.stdout += more))
  child.stderr?.setEncoding('utf8').on('data', (more: string) => (text.stderr += more))
  const exit = once(child, 'close')
  const address = await new Promise<HostAddress>((found, failed) => {
    child.stderr?.on('data', () => {
      const shown = /control is at (\S+)\n/.exec(text.stderr)?.[1]
      const parsed = shown === undefined ? undefined : parseAddress(shown, 'control')
      if (parsed?.ok === true) found(parsed.value)
    })
    child.on('close', () => failed(new Error(`ended early: ${text.stderr}`)))
  })
  // The process made it, and the file is whole as soon as it is there.
  const key = Buffer.from(readFileSync(join(folder, '.allways', 'key'), 'utf8').trim())
  const control = await ControlClient.connect(address, key)
  if (!control.ok) throw new Error(JSON.stringify(control.diagnostics))
  return { child, control: control.value, ended: async () => ({ code: (await exit)[0] as number | null, ...text }) }
}

async function stateOf<Data>({ control }: Running): Promise<Data & { readonly crashes: number }> {
  const state = await control.state()
  if (!state.ok) throw new Error(JSON.stringify(state.diagnostics))
  return { ...(state.value.data as unknown as Data), crashes: state.value.crashes }
}

async function confirmed(client: Running, least: number): Promise<void> {
  while ((await stateOf<{ confirmed: number }>(client)).confirmed < least)
    await new Promise((next) => setTimeout(next, 5))
}

interface Line {
  readonly machine: string
  readonly incarnation?: number
  readonly event?: {
    readonly kind: string
    readonly from?: string
    readonly incarnation?: number
    readonly number?: number
  }
  readonly sent?: readonly { readonly to: string; readonly number: number }[]
}

function linesOf(file: string): readonly Line[] {
  const lines = readFileSync(join(folder, file), 'utf8').split('\n').slice(0, -1)
  return lines.flatMap((line) => {
    try {
      return [JSON.parse(line) as Line]
    } catch {
      // The line that was being written when the process was killed.
      return []
    }
  })
}

/** Names of messages: of what was sent, and of what was received from there. */
function sentBy(lines: readonly Line[]): ReadonlySet<string> {
  let incarnation: number | undefined
  const names = lines.flatMap((line) => {
    incarnation = line.incarnation ?? incarnation
    return (line.sent ?? []).map(({ to, number }) => `${incarnation} ${number} to ${to}`)
  })
  return new Set(names)
}

for (const transport of ['udp', 'tcp'] as const) {
  test(
    `over ${transport}, a server that is killed while it counts comes back with what it confirmed`,
    long,
    async () => {
      const [clientPort, serverPort] = await reservedPorts(2, transport)
      const peers = [
        '--peers',
        `client=127.0.0.1:${clientPort},server=127.0.0.1:${serverPort}`,
        '--transport',
        transport,
      ]
      const serverFlags = [...peers, '--as', 'server', '--state-dir', 'state', '--log', 'server.jsonl']
      const clientFlags = [...peers, '--as', 'client', '--no-requests', '--log', 'client.jsonl']
      const [first, client] = await Promise.all([start(...serverFlags), start(...clientFlags)])
      await client.control.request('count', 200)
      await confirmed(client, 50)
      first.child.kill('SIGKILL')
      expect((await first.ended()).code).toBe(null)
      const second = await start(...serverFlags)
      await confirmed(client, 200)
      expect(await stateOf(second)).toMatchObject({ total: 200, lives: 2, crashes: 1 })

      client.child.kill('SIGTERM')
      second.child.kill('SIGINT')
      const [clientEnd, serverEnd] = [await client.ended(), await second.ended()]
      expect([clientEnd.code, serverEnd.code]).toEqual([0, 0])
      expect(serverEnd.stdout).toMatch(/^ server: sent \d+, delivered \d+ \(received \d+.*\)\n$/)
      const [clientLines, serverLines] = [linesOf('client.jsonl'), linesOf('server.jsonl')]
      expect(clientLines.at(-1)?.event).toEqual({ kind: 'stop' })
      expect(serverLines.at(-1)?.event).toEqual({ kind: 'stop' })
      const sent = sentBy(clientLines)
      const received = serverLines.flatMap(({ event }) =>
        event?.kind === 'message' && event.from === 'client' ? [event] : [],
      )
      expect(received.length).toBeGreaterThan(100)
      for (const { incarnation, number } of received) expect(sent).toContain(`${incarnation} ${number} to server`)
    },
  )
}

test(
  'a server that keeps nothing forgets what it confirmed, and its assertion says so with exit status 1',
  long,
  async () => {
    const [clientPort, serverPort] = await reservedPorts(2, 'udp')
    const peers = `client=127.0.0.1:${clientPort},server=127.0.0.1:${serverPort}`
    const flags = ['--peers', peers, '--param', 'goal=100000']
    const [first, client] = await Promise.all([start(...flags, '--as', 'server'), start(...flags, '--as', 'client')])
    await confirmed(client, 20)
    first.child.kill('SIGKILL')
    await first.ended()
    const second = await start(...flags, '--as', 'server')
    for (;;) {
      const counters = await second.control.counters()
      if (!counters.ok || counters.value.violations > 0) break
    }
    await second.control.stop()
    const end = await second.ended()
    expect(end.code).toBe(1)
    expect(end.stderr).toMatch(/^ server: \d+ was to be added to 0 \(.*counter\.check\.ts:\d+:\d+\)$/m)
  },
)
