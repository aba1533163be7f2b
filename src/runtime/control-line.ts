/** Lines of the control channel, `{ payload, mac }`: a text, and the proof that whoever wrote it has the key. */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { fieldsOf, jsonOfText } from './body.ts'
import { keyFor } from './keys.ts'
import { UnreadBytes } from './unread-bytes.ts'

export const controlFormat = 'allways-control/3'

type Direction = 'control requests' | 'control answers'

interface Signing {
  readonly key: Buffer
  /** Of this connection: what was signed for another proves nothing. */
  readonly challenges: readonly string[]
}

export function signedLine(direction: Direction, { key, challenges }: Signing, payload: string): string {
  return JSON.stringify({ payload, mac: macOf(keyFor(direction, key), challenges, payload) })
}

/** Undefined if it is none, or not signed as it must be. */
export function signedPayload(direction: Direction, { key, challenges }: Signing, line: string): string | undefined {
  const { payload, mac } = fieldsOf(jsonOfText(line)?.json) ?? {}
  if (typeof payload !== 'string') return undefined
  const expected = Buffer.from(macOf(keyFor(direction, key), challenges, payload))
  const given = Buffer.from(typeof mac === 'string' ? mac : '')
  return given.length === expected.length && timingSafeEqual(given, expected) ? payload : undefined
}

function macOf(key: Buffer, challenges: readonly string[], payload: string): string {
  return createHmac('sha256', key)
    .update([...challenges, payload].join('\n'))
    .digest('hex')
}

const newline = 0x0a

/** Cuts a stream of bytes into lines, however it comes in pieces. */
export class LineReader {
  /** Of a line, in bytes; may grow when the other side has proved who it is. */
  longest: number
  readonly #unread = new UnreadBytes()
  /** After a line that is too long. Nothing more is read. */
  isBroken = false

  constructor(longest: number) {
    this.longest = longest
  }

  /** One at a time: what the first line says may end the connection, or allow the next to be longer. */
  *lines(bytes: Buffer): Generator<string> {
    const unread = this.#unread
    let looked = unread.size
    if (!this.isBroken) unread.add(bytes)
    while (!this.isBroken) {
      const at = unread.indexOf(newline, looked)
      this.isBroken = (at < 0 ? unread.size : at) > this.longest
      if (this.isBroken || at < 0) break
      yield unread.take(at + 1).toString('utf8', 0, at)
      looked = 0
    }
    if (this.isBroken) unread.clear()
  }
}
