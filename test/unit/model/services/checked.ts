/** Check files as texts, as programs that use services are: what becomes of them. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { evidenceOf } from '../../../../src/core/evidence.ts'
import { type CheckOptions, checkResult } from '../../../../src/index.ts'

export interface Found {
  readonly verdict: string
  readonly executions?: number | undefined
  readonly told: string
  readonly hint?: string | undefined
  readonly line?: number | undefined
}

/** What becomes of a program with this main process, which begins in line 4. */
export async function found(body: string, options: CheckOptions = {}): Promise<Found> {
  const folder = mkdtempSync(join(tmpdir(), 'allways-services-'))
  const source = `import { assert, atomic, join, program, receive, self, send, spawn } from 'allways'
import { blobStore, cache, cron, database, DatabaseError, http, HttpTimeout, PreconditionFailed, queue } from 'allways/services'
export default program('p', async () => {
${body}
})
`
  try {
    const path = join(folder, 'p.check.ts')
    writeFileSync(path, source)
    const result = await checkResult(path, options)
    if (!result.ok) {
      const [first] = result.diagnostics
      return { verdict: first?.code ?? '', told: first?.message ?? '', hint: first?.hint, line: first?.place?.line }
    }
    const [execution] = evidenceOf(result.value.evidence, 'execution')
    const { kind, counts } = result.value
    return { verdict: kind, executions: counts.executions, told: execution?.violation.message ?? '' }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
