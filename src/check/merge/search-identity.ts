/** Which search a shard is one of. */
import { createHash } from 'node:crypto'
import type { SearchIdentity } from '../../reports/result.ts'
import { settingsText } from '../crew-messages.ts'
import type { CheckRequest } from '../request.ts'
import { version } from '../version.ts'

export function searchIdentity(request: CheckRequest, digest: string): SearchIdentity {
  const settings = createHash('sha256').update(settingsText(request)).digest('hex').slice(0, 16)
  return { version: version(), program: digest, settings }
}
