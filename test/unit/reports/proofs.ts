/** Proofs as reports get them, made by hand. */
import type { Place } from '../../../src/core/diagnostic.ts'
import type {
  BoundedSearch,
  Confirmation,
  NotCanonical,
  ProofEvidence,
  SequentialLine,
} from '../../../src/core/evidence.ts'
import { countedSizes, type Scope, type Verdict } from '../../../src/core/verdict.ts'
import type { Reported } from '../../../src/reports/result.ts'

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

export const scope: Scope = {
  engine: 'sequentialize',
  counted: countedSizes,
  params: {},
  seed: 0,
  deadlock: 'error',
  sizes: { clients: 0 },
}

const confirmed: Confirmation = {
  sizes: [{ clients: 0 }, { clients: 1 }, { clients: 2 }],
  executions: 9,
  unfinished: [{ clients: 3 }],
  because: 'time',
}

export const provedVerdict: Verdict = {
  kind: 'proved',
  scope,
  counts: { steps: 12 },
  evidence: [
    { kind: 'sequentialProgram', lines: sequential },
    { kind: 'proof', assertions: [], confirmed },
  ],
}

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

const bounded: BoundedSearch = {
  sizes: [{ clients: 0 }, { clients: 1 }],
  executions: 1234,
  unfinished: [],
  because: undefined,
}

/** Not canonical, unless it is said to be. */
export function incompleteProof(changes: Partial<ProofEvidence> = {}): Verdict {
  const proof: ProofEvidence = { kind: 'proof', assertions: [], notCanonical, bounded, ...changes }
  const evidence = proof.notCanonical === undefined ? [{ kind: 'sequentialProgram', lines: sequential } as const] : []
  return {
    kind: 'incomplete',
    scope,
    counts: {},
    evidence: [...evidence, proof],
    because: undefined,
    explored: 0,
    remaining: [],
  }
}

export function reportedProof(verdict: Verdict): Reported {
  const isCanonical = verdict.evidence.some(({ kind }) => kind === 'sequentialProgram')
  return {
    program: 'lock',
    file: 'src/lock.check.ts',
    verdict,
    seconds: 0.126,
    findings: [],
    frame: isCanonical ? undefined : '> 9 | yield* send(from)\n',
    commands: verdict.kind === 'incomplete' ? { check: "npx allways check src/lock.check.ts -t 'lock'" } : {},
  }
}
