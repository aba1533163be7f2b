/**
 * Ports that several processes must know before they start. They are below those that the system gives to whoever asks for any, and
 * whoever reserves one holds the same number of the other protocol meanwhile: no other test is given it, in no process.
 */
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { afterEach } from 'vitest'

type Protocol = 'tcp' | 'udp'

/** Apart, so that a number is held by one protocol alone, and looked at by the other only while it is held. */
const firstOf = { udp: 10_000, tcp: 20_000 } as const
const numbers = 10_000
const held: (() => Promise<void>)[] = []

afterEach(async () => {
  await Promise.all(held.splice(0).map((release) => release()))
})

export async function reservedPorts(count: number, protocol: Protocol): Promise<readonly number[]> {
  const ports: number[] = []
  while (ports.length < count) {
    const port = firstOf[protocol] + Math.floor(Math.random() * numbers)
    const release = await bound(port, protocol === 'udp' ? 'tcp' : 'udp')
    if (release === undefined) continue
    held.push(release)
    const free = await bound(port, protocol)
    if (free === undefined) continue
    await free()
    ports.push(port)
  }
  return ports
}

/** How to let it go; undefined where somebody else has it. */
async function bound(port: number, protocol: Protocol): Promise<(() => Promise<void>) | undefined> {
  const socket =
    protocol === 'udp' ? createSocket('udp4').bind(port, '127.0.0.1') : createServer().listen(port, '127.0.0.1')
  try {
    await once(socket, 'listening')
  } catch {
    return undefined
  }
  return () => new Promise((closed) => socket.close(() => closed()))
}
