/**
 * `allways-wire/2`: one frame per datagram, or length-prefixed in a stream. A header of fixed size, a body, and with a shared
 * key an HMAC-SHA256 over both. Whatever comes in is untrusted until it is decoded here; decoding never throws.
 *
 *     0  'aw'             12  from (machine)        28  sequence in the session    48  length of the body
 *     2  version          14  to (machine)          34  number of the message      52  body
 *     3  kind, 0x80: MAC  16  incarnation of from   40  latest snapshot of from    …   MAC, 32 bytes
 *     4  system           22  incarnation of to
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { Params } from '../core/setting.ts'
import { keyFor } from './keys.ts'

const wireVersion = 2

const frameKinds = ['hello', 'message', 'marker', 'marked', 'report', 'reported'] as const
export type FrameKind = (typeof frameKinds)[number]

export interface Frame {
  readonly kind: FrameKind
  /** Machines by number. */
  readonly from: number
  readonly to: number
  /** Which life of the sender this is from, and which one of the receiver it is for; 0 where that is not known. */
  readonly fromIncarnation: number
  readonly toIncarnation: number
  /** Messages count from 1 in each session of two incarnations; other kinds have 0. */
  readonly sequence: number
  /** Messages of a machine in the order they were sent, so that logs can be joined. */
  readonly number: number
  /** The latest snapshot for which the sender had recorded its state when it sent this; or the one this frame is about. */
  readonly snapshot: number
  readonly body: Buffer
}

type WireProblem = 'malformed' | 'oversized' | 'unauthenticated' | 'foreign'
export type Decoded =
  | { readonly ok: true; readonly frame: Frame }
  | { readonly ok: false; readonly problem: WireProblem }

const headerSize = 52
const macSize = 32
const authenticated = 0x80
/** The largest body of a UDP datagram over IPv4 that carries header and MAC. */
export const largestDatagramBody = 65_507 - headerSize - macSize

export interface CodecOptions {
  readonly system: string
  readonly machines: readonly string[]
  /** Machines with others are of another system. */
  readonly params?: Params | undefined
  readonly key?: Buffer | undefined
  /** Of a body, in bytes. */
  readonly limit: number
}

export class Codec {
  readonly #identity: Buffer
  readonly #key: Buffer | undefined
  readonly #limit: number
  readonly #machines: number

  constructor({ system, machines, params = {}, key, limit }: CodecOptions) {
    this.#identity = createHash('sha256')
      .update(JSON.stringify([system, machines, Object.entries(params).sort()]))
      .digest()
      .subarray(0, 8)
    this.#key = key === undefined ? undefined : keyFor('frames', key)
    this.#limit = limit
    this.#machines = machines.length
  }

  get limit(): number {
    return this.#limit
  }

  /** Nothing longer can be a frame. */
  get longest(): number {
    return headerSize + this.#limit + macSize
  }

  encode(frame: Frame): Buffer {
    const signedSize = headerSize + frame.body.length
    const bytes = Buffer.allocUnsafe(signedSize + (this.#key === undefined ? 0 : macSize))
    bytes.write('aw', 0, 'latin1')
    bytes[2] = wireVersion
    bytes[3] = frameKinds.indexOf(frame.kind) | (this.#key === undefined ? 0 : authenticated)
    this.#identity.copy(bytes, 4)
    bytes.writeUInt16BE(frame.from, 12)
    bytes.writeUInt16BE(frame.to, 14)
    bytes.writeUIntBE(frame.fromIncarnation, 16, 6)
    bytes.writeUIntBE(frame.toIncarnation, 22, 6)
    bytes.writeUIntBE(frame.sequence, 28, 6)
    bytes.writeUIntBE(frame.number, 34, 6)
    bytes.writeBigUInt64BE(BigInt(frame.snapshot), 40)
    bytes.writeUInt32BE(frame.body.length, 48)
    frame.body.copy(bytes, headerSize)
    if (this.#key !== undefined) this.#mac(bytes.subarray(0, signedSize)).copy(bytes, signedSize)
    return bytes
  }

  decode(bytes: Buffer): Decoded {
    if (bytes.length < headerSize || bytes.toString('latin1', 0, 2) !== 'aw' || bytes[2] !== wireVersion)
      return refused('malformed')
    const tag = bytes[3] as number
    const kind = frameKinds[tag & ~authenticated]
    const hasMac = (tag & authenticated) !== 0
    const bodySize = bytes.readUInt32BE(48)
    if (kind === undefined) return refused('malformed')
    if (bodySize > this.#limit || bytes.length > this.longest) return refused('oversized')
    if (bytes.length !== headerSize + bodySize + (hasMac ? macSize : 0)) return refused('malformed')
    // A MAC that cannot be checked is as bad as none that should be there.
    if (hasMac !== (this.#key !== undefined)) return refused('unauthenticated')
    const signedSize = headerSize + bodySize
    if (hasMac && !timingSafeEqual(this.#mac(bytes.subarray(0, signedSize)), bytes.subarray(signedSize)))
      return refused('unauthenticated')
    if (!this.#identity.equals(bytes.subarray(4, 12))) return refused('foreign')
    return this.#fields(bytes, kind, bodySize)
  }

  #fields(bytes: Buffer, kind: FrameKind, bodySize: number): Decoded {
    const [from, to] = [bytes.readUInt16BE(12), bytes.readUInt16BE(14)]
    if (from >= this.#machines || to >= this.#machines) return refused('foreign')
    const snapshot = bytes.readBigUInt64BE(40)
    const sequence = bytes.readUIntBE(28, 6)
    const fromIncarnation = bytes.readUIntBE(16, 6)
    if (
      snapshot > BigInt(Number.MAX_SAFE_INTEGER) ||
      fromIncarnation === 0 ||
      (sequence === 0) === (kind === 'message')
    )
      return refused('malformed')
    const frame: Frame = {
      kind,
      from,
      to,
      fromIncarnation,
      toIncarnation: bytes.readUIntBE(22, 6),
      sequence,
      number: bytes.readUIntBE(34, 6),
      snapshot: Number(snapshot),
      body: bytes.subarray(headerSize, headerSize + bodySize),
    }
    return { ok: true, frame }
  }

  #mac(signed: Buffer): Buffer {
    return createHmac('sha256', this.#key as Buffer)
      .update(signed)
      .digest()
  }
}

function refused(problem: WireProblem): Decoded {
  return { ok: false, problem }
}
