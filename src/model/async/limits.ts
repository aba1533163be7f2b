/** What withdraws a receive: a signal, which rejects it, or that some time has passed, after which it gives `undefined`. */
import { clearTimer, startTimeout } from '../../jobs/host/timers.ts'
import type { Request } from './requests.ts'

interface Limits {
  readonly signal: AbortSignal | undefined
  readonly within: number | undefined
}

export function limitRequest(request: Request, { signal, within }: Limits, withdraw: () => void): void {
  if (signal?.aborted === true) {
    withdraw()
    request.reject(signal.reason)
    return
  }
  const onAbort = (): void => {
    withdraw()
    request.reject(signal?.reason)
  }
  const onTimeout = (): void => {
    withdraw()
    request.answer(undefined)
  }
  const timer = within === undefined ? undefined : startTimeout(onTimeout, within)
  signal?.addEventListener('abort', onAbort)
  request.whenOver = () => {
    if (timer !== undefined) clearTimer(timer)
    signal?.removeEventListener('abort', onAbort)
  }
}
