/** Network "fifo-eager", a variant of dpor that orders arrivals: where it cannot be had. */
import type { Diagnostic } from '../core/diagnostic.ts'
import { faultDiagnostic } from '../core/faults.ts'
import type { Engine } from '../engines/engine.ts'
import type { Program } from '../program/program.ts'
import { offers } from '../semantics/derive.ts'

export const eagerFaults = faultDiagnostic(
  'network "fifo-eager" is for comparison only and takes no faults',
  'use --network fifo, or --faults none',
)

export function eagerElsewhere(program: Program, engine: Engine): Diagnostic {
  return {
    code: 'E107',
    message: `network "fifo-eager" is a variant of the dpor engine, not of "${engine.name}"`,
    hint: takesEager(program) ? 'use --engine dpor, or --network fifo' : 'use --network fifo',
  }
}

/** The variant knows nothing of the turns that machines of P programs take. */
function takesEager(program: Program): boolean {
  return offers(program, 'runnable') && !offers(program, 'ir')
}

export function eagerNetwork(network: string): Diagnostic {
  return {
    code: 'E107',
    message: `eager orders the arrivals of fifo messages, and the network is ${network}`,
    hint: 'leave it out, or use --network fifo',
  }
}
