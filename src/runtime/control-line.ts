/** Lines of the control channel, `{ payload, mac }`: a text, and with a key the proof that whoever wrote it has that key. */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { fieldsOf, jsonOfText } from './body.ts'
import { keyFor } from './keys.ts'

export const controlFormat = 'allways-control/2'

type Direction = 'control requests' | 'control answers'

interface Signing {
  readonly key: Buffer | undefined
  /** Of this connection: what was signed for another proves nothing. */
  readonly challenges: readonly string[]
}

export function signedLine(direction: Direction, { key, challenges }: Signing, payload: string): string {
  const mac = key === undefined ? {} : { mac: macOf(keyFor(direction, key), challenges, payload) }
  return JSON.stringify({ payload, ...mac })
}

/** Undefined if it is none, or not signed as it must be. */
export function signedPayload(direction: Direction, { key, challenges }: Signing, line: string): string | undefined {
  const { payload, mac } = fieldsOf(jsonOfText(line)?.json) ?? {}
  if (typeof payload !== 'string') return undefined
  if (key === undefined) return payload
  const expected = Buffer.from(macOf(keyFor(direction, key), challenges, payload))
  const given = Buffer.from(typeof mac === 'string' ? mac : '')
  return given.length === expected.length && timingSafeEqual(given, expected) ? payload : undefined
}

function macOf(key: Buffer, challenges: readonly string[], payload: string): string {
  return createHmac('sha256', key)
    .update([...challenges, payload].join('\n'))
    .digest('hex')
}
