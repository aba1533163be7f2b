/** What services do about clients that crash. */
import { faultDiagnostic } from '../../core/faults.ts'
import { mistake, running } from '../../core/running.ts'

/** The server of a service does not learn that a client has crashed, and would wait for it, with all its locks. */
export function refuseCrashes(service: string): void {
  if (!running.mayCrash) return
  const hint = 'leave crashes out of the budget: --faults none, or losses and duplicates alone'
  mistake(faultDiagnostic(`${service} does not know what becomes of clients that crash`, hint))
}
