/** Connections that strangers make to a machine or its control channel: none of them proves anything. */
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import type { Random } from '../../src/core/random.ts'
import type { HostAddress } from '../../src/runtime/address.ts'
import { signedLine } from '../../src/runtime/control-line.ts'

export interface Listener {
  readonly address: HostAddress
  /** That it has, and strangers do not. */
  readonly key: Buffer
  readonly random: Random
}

export const connectionAttacks = [
  'silent',
  'half open',
  'byte by byte',
  'noise',
  'line without end',
  'cut at once',
  'no proof',
  'other key',
  'other purpose',
  'replayed line',
  'flipped line',
] as const
export type ConnectionAttack = (typeof connectionAttacks)[number]

const another = Buffer.from('another secret of sixteen bytes')
const stop = JSON.stringify({ id: 1, command: 'stop', nonce: '' })

/** The connection stays open, as far as that is for this side to say, until it is destroyed. */
export async function hostileConnection(attack: ConnectionAttack, listener: Listener): Promise<Socket> {
  const { address, key, random } = listener
  const socket = connect({ host: address.host, port: address.port, allowHalfOpen: attack === 'half open' })
  socket.on('error', () => {})
  await Promise.race([once(socket, 'connect'), new Promise((closed) => socket.on('close', closed))]).catch(() => {})
  if (attack !== 'silent') socket.resume()
  const write = (bytes: string | Buffer): void => void (socket.writable && socket.write(bytes))
  const signed = async (by: Buffer, purpose: 'control requests' | 'control answers', changed?: string) => {
    const challenge = changed ?? (await challengeFrom(socket))
    return `${signedLine(purpose, { key: by, challenges: [challenge] }, stop)}\n`
  }
  switch (attack) {
    case 'silent':
      break
    case 'cut at once':
      socket.resetAndDestroy()
      break
    case 'half open':
      socket.end()
      break
    case 'byte by byte':
      for (let at = 0; at < 50 && socket.writable; at++) {
        write(Buffer.from([at % 4 < 3 ? 0 : 200]))
        await new Promise((next) => setImmediate(next))
      }
      break
    case 'noise':
      write(Buffer.from(Array.from({ length: 1 + random.below(500) }, () => random.below(256))))
      break
    case 'line without end':
      write(Buffer.alloc(1 << 17, 'x'))
      break
    case 'no proof':
      write(`${JSON.stringify({ payload: stop, ...(random.below(2) === 0 ? {} : { mac: '0'.repeat(64) }) })}\n`)
      break
    case 'other key':
      write(await signed(another, 'control requests'))
      break
    case 'other purpose':
      write(await signed(key, 'control answers'))
      break
    case 'replayed line':
      write(await signed(key, 'control requests', 'the challenge of another connection'))
      break
    case 'flipped line': {
      const line = Buffer.from(await signed(key, 'control requests'))
      // Not the newline behind it, without which it is no line yet.
      const at = random.below(line.length - 1)
      line[at] = (line[at] as number) ^ (1 << random.below(7))
      write(line)
    }
  }
  return socket
}

/** Of the greeting; a machine's own port sends none. */
async function challengeFrom(socket: Socket): Promise<string> {
  if (socket.destroyed) return ''
  const [bytes] = await Promise.race([
    once(socket, 'data') as Promise<[Buffer]>,
    new Promise<[Buffer]>((closed) => socket.on('close', () => closed([Buffer.alloc(0)]))),
  ])
  const [, challenge = ''] = /"challenge":"(\w+)"/.exec(bytes.toString()) ?? []
  return challenge
}

export const rogueAnswers = ['nothing', 'noise', 'no proof', 'other key', 'echo', 'greeting without end'] as const

/** Speaks as a control channel does, and does not have the key. */
export async function rogueServer(answers: (typeof rogueAnswers)[number]) {
  const challenge = 'c'.repeat(32)
  const identity = JSON.stringify({ id: 1, result: { system: 'ping-pong', machine: 'left' } })
  const server = createServer((socket) => {
    socket.on('error', () => {})
    if (answers === 'greeting without end') socket.write(Buffer.alloc(1 << 16, 'x'))
    else socket.write(`${JSON.stringify({ format: 'allways-control/3', challenge })}\n`)
    socket.on('data', (line: Buffer) => {
      const [, nonce = ''] = /\\"nonce\\":\\"(\w+)\\"/.exec(line.toString()) ?? []
      const challenges = [challenge, nonce]
      if (answers === 'noise') socket.write('\u0000nonsense\n')
      if (answers === 'no proof') socket.write(`${JSON.stringify({ payload: identity })}\n`)
      if (answers === 'other key')
        socket.write(`${signedLine('control answers', { key: another, challenges }, identity)}\n`)
      if (answers === 'echo') socket.write(line)
      if (answers === 'nothing') socket.end()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { readonly port: number }
  return { address: { host: '127.0.0.1', port }, close: () => server.close() }
}
