/** A thread: a member of a portfolio, which checks a program as it is told, or of a crew, which explores parts of one search. */
import { parentPort, workerData } from 'node:worker_threads'
import { serveCrew } from './crew-member.ts'
import type { CrewData } from './crew-messages.ts'
import { loadNamed } from './load-named.ts'
import type { MemberData, MemberMessage } from './portfolio.ts'
import { checkRequest } from './request.ts'
import { runCheck } from './run.ts'

async function checkAlone({ path, program, options, since }: MemberData): Promise<void> {
  const controller = new AbortController()
  // The search pauses now and then, and then hears this.
  parentPort?.on('message', () => controller.abort())
  const loaded = await loadNamed(path, program, { clients: options.clients })
  if (!loaded.ok) return tell({ kind: 'done', result: loaded })
  const time = options.time === undefined ? {} : { time: Math.max(1, options.time - (Date.now() - since)) }
  const request = checkRequest(loaded.value.program, { ...options, ...time, signal: controller.signal })
  if (!request.ok) return tell({ kind: 'done', result: request })
  tell({ kind: 'begun' })
  const checked = await runCheck(request.value, { onProgress: (progress) => tell({ kind: 'progress', progress }) })
  tell({ kind: 'done', result: checked })
}

function tell(message: MemberMessage): void {
  parentPort?.postMessage(message)
}

const data = workerData as MemberData | CrewData
if ('kind' in data) {
  if (parentPort !== null) await serveCrew(data, parentPort)
} else {
  await checkAlone(data)
  parentPort?.close()
}
