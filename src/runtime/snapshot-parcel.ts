/** A part of a snapshot in pieces that fit into frames, each repeated until it is answered. */
import { longestArtifact } from '../artifact/artifact.ts'

const headSize = 4
const pieceSize = 16 << 10
/** Pieces under way at a time: more would overflow the receiver's buffer. */
const mostUnderWay = 16
/** Of one machine's part, in bytes, and of all parts together: the answer that holds them would not be read if it were larger. */
export const largestPart = longestArtifact

export class OutgoingParcel {
  readonly #pieces: readonly Buffer[]
  readonly #send: (piece: Buffer) => void
  /** Invariant: the numbers of pieces that have not been answered, increasing. */
  readonly #unanswered: Set<number>

  constructor(content: Buffer, limit: number, send: (piece: Buffer) => void) {
    const size = Math.max(1, Math.min(pieceSize, limit - headSize))
    const count = Math.ceil(content.length / size)
    this.#pieces = Array.from({ length: count }, (_, at) => {
      const head = Buffer.allocUnsafe(headSize)
      head.writeUInt16BE(at, 0)
      head.writeUInt16BE(count, 2)
      return Buffer.concat([head, content.subarray(at * size, (at + 1) * size)])
    })
    this.#unanswered = new Set(this.#pieces.keys())
    this.#send = send
  }

  get isReceived(): boolean {
    return this.#unanswered.size === 0
  }

  /** The first pieces that have not been answered. */
  send(): void {
    let count = 0
    for (const at of this.#unanswered) {
      if (count++ >= mostUnderWay) break
      this.#send(this.#pieces[at] as Buffer)
    }
  }

  /** The answer names a piece; the one that now comes into reach follows at once. */
  received(answer: Buffer): void {
    if (answer.length !== 2 || !this.#unanswered.delete(answer.readUInt16BE(0))) return
    const next = [...this.#unanswered][mostUnderWay - 1]
    if (next !== undefined) this.#send(this.#pieces[next] as Buffer)
  }
}

export class IncomingParcel {
  /** Copies: a slice would keep the whole buffer alive that the frame came in. */
  readonly #pieces = new Map<number, Buffer>()
  /** As the first piece says; others that say otherwise are refused. */
  #count: number | undefined
  #size = 0

  /** Of the pieces that have come, in bytes. */
  get size(): number {
    return this.#size
  }

  /** The answer to send back; undefined for a piece that cannot be one. */
  take(piece: Buffer): Buffer | undefined {
    if (piece.length <= headSize) return undefined
    const [at, count] = [piece.readUInt16BE(0), piece.readUInt16BE(2)]
    this.#count ??= count
    if (count !== this.#count || at >= count || this.#size + piece.length > largestPart) return undefined
    if (!this.#pieces.has(at)) {
      this.#pieces.set(at, Buffer.from(piece.subarray(headSize)))
      this.#size += piece.length
    }
    return piece.subarray(0, 2)
  }

  /** Once all pieces are here. */
  get content(): Buffer | undefined {
    if (this.#count === undefined || this.#pieces.size < this.#count) return undefined
    return Buffer.concat(Array.from({ length: this.#count }, (_, at) => this.#pieces.get(at) as Buffer))
  }
}
