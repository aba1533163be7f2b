/** The thread of one member of a portfolio: checks a class as it is told, and tells what came out of it. */
import { parentPort, workerData } from 'node:worker_threads'
import { objectRequest } from './options.ts'
import type { MemberData, MemberMessage } from './portfolio.ts'
import { runObjectCheck } from './run.ts'
import { loadTarget } from './target.ts'

async function main({ target, options }: MemberData): Promise<void> {
  const controller = new AbortController()
  // The search pauses now and then, and then hears this.
  parentPort?.on('message', () => controller.abort())
  const loaded = await loadTarget(target)
  if (!loaded.ok) return tell({ kind: 'done', result: loaded })
  const { check, loaded: file } = loaded.value
  const request = objectRequest(check, file.modules, { ...options, signal: controller.signal })
  if (!request.ok) return tell({ kind: 'done', result: request })
  const onProgress = (progress: Extract<MemberMessage, { readonly kind: 'progress' }>['progress']) =>
    tell({ kind: 'progress', progress })
  tell({ kind: 'done', result: await runObjectCheck(request.value, { onProgress }) })
}

function tell(message: MemberMessage): void {
  parentPort?.postMessage(message)
}

await main(workerData as MemberData)
parentPort?.close()
