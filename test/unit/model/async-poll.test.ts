/** A poll that is called before a receive that takes the same messages has its turn before it. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { evidenceOf } from '../../../src/core/evidence.ts'
import { checkResult } from '../../../src/index.ts'

const source = `import { assert, poll, program, receive, self, send } from 'allways'
export default program('turns', { deadlock: 'allow' }, async () => {
  const me = await self()
  await send(me, 1)
  await send(me, 2)
  const first = poll()
  const second = receive()
  await assert(false, [await first, await second].join())
})
`

test.each(['dpor', 'exhaustive'])('all that it may find is explored by %s', async (engine) => {
  const folder = mkdtempSync(join(tmpdir(), 'allways-poll-'))
  try {
    const path = join(folder, 'turns.check.ts')
    writeFileSync(path, source)
    const result = await checkResult(path, { engine, network: 'fifo', keepGoing: true })
    if (!result.ok) throw new Error(result.diagnostics[0]?.message)
    const found = evidenceOf(result.value.evidence, 'execution').map(({ violation }) => violation.message)
    expect(found.sort()).toEqual([',1', '1,2'])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
