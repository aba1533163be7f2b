/** Proofs as reports get them, made by hand. */
import type { Place } from '../../../src/core/diagnostic.ts'
import type { NotCanonical, ProofVerdict, SequentialLine } from '../../../src/core/proof-verdict.ts'
import type { ReportedProof } from '../../../src/reports/proof-result.ts'

export function at(line: number, column = 3): Place {
  return { file: 'src/lock.check.ts', line, column }
}

export const sequential: readonly SequentialLine[] = [
  { depth: 0, text: 'for each client {', place: at(15) },
  { depth: 1, text: "main.lock = { kind: 'lock', from: client }", place: at(16), sentAt: at(8) },
  { depth: 1, text: "if (client: what === 'get') {", place: at(9) },
  { depth: 2, text: "client takes { kind: 'granted' }", place: at(10), sentAt: at(17) },
  { depth: 1, text: '} else {', place: undefined },
  { depth: 1, text: '}', place: undefined },
  { depth: 0, text: '}', place: undefined },
]

const scope = { engine: 'sequentialize', parameters: [{ name: 'clients', least: 0 }] } as const

export const provedVerdict: ProofVerdict = { kind: 'proved', scope, steps: 12, sequential, assertions: [] }

export const notCanonical: NotCanonical = {
  reason: 'superfluous send',
  message: 'this message is taken in one case of the branch and left over in the other',
  places: [
    { place: at(9, 14), text: "send { kind: 'granted' } to from" },
    { place: at(104, 5), text: 'if (free)' },
    { place: at(104, 5), text: 'if (free)' },
  ],
  prefix: sequential.slice(0, 2),
  rest: [
    { process: 'main', isSet: false, isDaemon: false, at: { place: at(15), text: 'for each client' } },
    { process: 'cache', isSet: false, isDaemon: true, at: { place: at(20), text: 'while (…)' } },
    { process: 'client', isSet: true, isDaemon: false, at: undefined },
  ],
  underWay: ["{ kind: 'granted' } from main to each client"],
}

export const incompleteVerdict: Extract<ProofVerdict, { kind: 'incomplete' }> = {
  kind: 'incomplete',
  scope,
  notCanonical,
  sequential: [],
  assertions: [],
  bounded: { sizes: [{ clients: 0 }, { clients: 1 }], executions: 1234, unfinished: [], because: undefined },
}

export function reportedProof(verdict: ProofVerdict): ReportedProof {
  return {
    kind: 'proof',
    program: 'lock',
    file: 'src/lock.check.ts',
    verdict,
    seconds: 0.126,
    frames: verdict.kind === 'incomplete' && verdict.notCanonical !== undefined ? ['> 9 | yield* send(from)\n'] : [],
    checkCommand: verdict.kind === 'incomplete' ? "npx allways check src/lock.check.ts -t 'lock'" : undefined,
  }
}
