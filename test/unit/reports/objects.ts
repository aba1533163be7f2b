/** Results about a class as the host would fill them: the stack of which two pops return the same item. */
import { readFileSync } from 'node:fs'
import type { CodeFunction } from '../../../src/core/code.ts'
import { type Causes, type ClientCounterexample, type CodeStep, execution } from '../../../src/core/evidence.ts'
import { type Counts, countedClients, type Scope, type Verdict } from '../../../src/core/verdict.ts'
import type { Reported } from '../../../src/reports/result.ts'

const file = 'stack.ts'
const source = readFileSync(new URL('../../cli/fixtures/objects/stack.ts', import.meta.url), 'utf8').split('\n')
const pop: CodeFunction = { file, name: 'Stack.pop', lines: { first: 13, last: 21 }, loops: [{ first: 16, last: 18 }] }

export const scope: Scope = {
  engine: 'stateful',
  counted: countedClients,
  params: { processes: 2, calls: 2 },
  seed: 0,
  deadlock: 'error',
  criterion: 'linearizable',
  granularity: 'access',
  options: { reduction: 'lazy', static: true, stateless: false, order: 'sequential' },
}

export const counts: Counts = {
  clients: 12,
  states: 3_456,
  transitions: 7_890,
  irreducible: 0,
  traces: 0,
  finals: 40,
}

function at(process: string, line: number, text: string): CodeStep {
  return { process, kind: 'access', site: { function: pop, line, column: 7 }, text }
}

function end(process: string, kind: 'call' | 'return', text: string): CodeStep {
  return { process, kind, site: undefined, text }
}

const steps: readonly CodeStep[] = [
  end('p1', 'call', 'pop()'),
  at('p1', 14, 'loads range → 1'),
  at('p1', 16, 'reads items[0] → 1'),
  end('p2', 'call', 'pop()'),
  at('p2', 14, 'loads range → 1'),
  at('p2', 16, 'reads items[0] → 1'),
  at('p2', 17, 'items[0] = null'),
  end('p2', 'return', 'pop → 1'),
  at('p1', 17, 'items[0] = null'),
  end('p1', 'return', 'pop → 1'),
]

export const twice: ClientCounterexample = {
  violation: { kind: 'linearizability', property: 'linearizable', message: 'pop() → 1 || pop() → 1' },
  decisions: steps.map(({ process }) => ({ kind: 'step', process })),
  events: [],
  foundIn: steps.length,
  processes: [],
  client: {
    text: '[ push(1) ] { pop() } || { pop() }',
    steps,
    history: {
      calls: [
        { process: 'p1', operation: 'pop', args: [], result: { kind: 'returned', value: 1 }, invoked: 0, returned: 3 },
        { process: 'p2', operation: 'pop', args: [], result: { kind: 'returned', value: 1 }, invoked: 1, returned: 2 },
      ],
    },
    order: [0],
    stuck: 1,
    words: 'no order of the calls gives these results: after pop(), pop() returns null, not 1',
  },
}

export const stuck: ClientCounterexample = {
  ...twice,
  violation: {
    kind: 'deadlock',
    property: 'deadlock freedom',
    message: 'p1 waits for ever in eatLeftFirst: acquire(); p2 waits for ever in eatRightFirst: acquire()',
  },
  client: {
    text: '{ eatLeftFirst() } || { eatRightFirst() }',
    steps: [
      end('p1', 'call', 'eatLeftFirst()'),
      at('p1', 9, 'locks left'),
      end('p2', 'call', 'eatRightFirst()'),
      at('p2', 18, 'locks right'),
    ],
    history: {
      calls: ['eatLeftFirst', 'eatRightFirst'].map((operation, index) => ({
        process: `p${index + 1}`,
        operation,
        args: [],
        result: { kind: 'pending' },
        invoked: index,
        returned: Number.POSITIVE_INFINITY,
      })),
    },
    order: [],
    words: 'p1 waits for ever in eatLeftFirst: acquire(); p2 waits for ever in eatRightFirst: acquire()',
  },
}

const section = (name: string, first: number, last: number) => ({ file, function: name, lines: { first, last } })

export const causes: Causes = {
  repairs: [
    { sections: [section('Stack.pop', 16, 17)], ruledOut: 9, disabled: 0 },
    { sections: [section('Stack.pop', 14, 17)], ruledOut: 9, disabled: 4 },
  ],
  violating: 9,
  linearizable: 31,
  capped: false,
  applied: { sections: [section('Stack.pop', 16, 17)], clients: 36, holds: true },
}

interface Changes {
  readonly scope?: Scope
  readonly counts?: Counts
  readonly found?: readonly ClientCounterexample[]
  /** Nothing is known about causes if it is null. */
  readonly causes?: Causes | null
  readonly alike?: number
}

export function violated(changes: Changes = {}): Verdict {
  const told = changes.causes === undefined ? causes : changes.causes
  const sections = told === null ? [] : [{ kind: 'sections', ...told } as const]
  return {
    kind: 'violated',
    scope: changes.scope ?? scope,
    counts: changes.counts ?? counts,
    evidence: [...(changes.found ?? [twice]).map(execution), ...sections],
    exhausted: false,
    alike: changes.alike,
  }
}

export function verified(changes: { readonly scope?: Scope; readonly counts?: Counts } = {}): Verdict {
  return { kind: 'verified', scope, counts, evidence: [], ...changes }
}

export function incomplete(because: 'time' | 'interrupt'): Verdict {
  return { kind: 'incomplete', scope, counts, evidence: [], because, explored: 1 / 3, remaining: [], outOf: 36 }
}

export function reportedObject(verdict: Verdict, changes: Partial<Reported> = {}): Reported {
  const trace = '.allways/traces/stack.linearizable.3f9a.trace.json'
  return {
    program: 'Stack',
    file: 'stack.check.ts',
    place: { file: 'stack.check.ts', line: 4, column: 16 },
    verdict,
    seconds: 0.21,
    findings: [{ tracePath: trace, replayCommand: `npx allways replay ${trace}` }],
    sources: (name) => (name === file ? source : undefined),
    commands: { repair: 'npx allways linearize stack.check.ts -t Stack --fix --dry-run' },
    ...changes,
  }
}
