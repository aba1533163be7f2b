/** Work that takes long and belongs to no engine, in slices between which timers and signals get their turn. */
import type { Host } from '../distribute/driver.ts'
import type { Unhurried } from '../semantics/replay.ts'

const sliceMilliseconds = 25
/** What is nearly done when an interrupt comes is worth the wait, as far as nobody notices it. */
const patienceMilliseconds = 75

/** The answer; nothing if an interrupt came and the answer did not. */
export async function unlessInterrupted<Answer>(
  work: Unhurried<Answer>,
  { host, signal }: { readonly host: Host; readonly signal?: AbortSignal | undefined },
): Promise<{ readonly answer: Answer } | undefined> {
  let pausedAt = host.now()
  let interruptedAt: number | undefined
  for (;;) {
    const { done, value } = work.next()
    if (done === true) return { answer: value }
    const now = host.now()
    if (now - pausedAt < sliceMilliseconds) continue
    if (signal?.aborted === true) interruptedAt ??= now
    if (interruptedAt !== undefined && now - interruptedAt >= patienceMilliseconds) return undefined
    await host.pause()
    pausedAt = host.now()
  }
}
