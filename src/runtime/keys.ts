/** One secret of the user's, a key for each purpose: what was said for one proves nothing for another. */
import { hkdfSync } from 'node:crypto'

type Purpose = 'frames' | 'control requests' | 'control answers'

const keyBytes = 32

export function keyFor(purpose: Purpose, secret: Buffer): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', `allways ${purpose}`, keyBytes))
}
