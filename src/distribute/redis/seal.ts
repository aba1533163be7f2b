/** Data that lies in Redis, where others may write as well: only what was made with the shared key is read. */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { deserialize, serialize } from 'node:v8'

const macBytes = 32

export class Seal {
  readonly #key: Buffer

  constructor(shared: Buffer) {
    // The key of machines may be the same file, and must not say here what it says there.
    this.#key = createHmac('sha256', shared).update('allways-run/1').digest()
  }

  /** `label` says what it is and of what, so that nothing can stand in the place of something else. */
  sealed(label: string, content: unknown): Buffer {
    const bytes = serialize(content)
    return Buffer.concat([this.#mac(label, bytes), bytes])
  }

  /** Nothing if it was not made with the key, or for another place. */
  opened(label: string, sealed: Buffer): { readonly content: unknown } | undefined {
    if (sealed.length < macBytes) return undefined
    const bytes = sealed.subarray(macBytes)
    if (!timingSafeEqual(sealed.subarray(0, macBytes), this.#mac(label, bytes))) return undefined
    return { content: deserialize(bytes) }
  }

  #mac(label: string, bytes: Buffer): Buffer {
    return createHmac('sha256', this.#key).update(`${label}\0`).update(bytes).digest()
  }
}
