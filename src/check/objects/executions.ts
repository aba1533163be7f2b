/**
 * Executions of a client for finding causes: paths sampled from its state graph, some that end in a violation and some that do
 * not, each Mazurkiewicz trace once. (The thesis takes all executions that its hash-based search happens to produce, §2.3.5.)
 */
import { Random } from '../../core/random.ts'
import type { Decision } from '../../core/trace.ts'
import type { Unhurried } from '../../core/unhurried.ts'
import type { RecordedExecution } from '../../properties/repair/execution.ts'
import { type ExecutedAccess, executed } from '../../semantics/memory/record.ts'
import type { ObjectSubject } from '../../semantics/memory/subject.ts'
import { ObjectWorld } from '../../semantics/memory/world.ts'

export interface SampledExecutions {
  readonly violating: readonly RecordedExecution[]
  readonly linearizable: readonly RecordedExecution[]
  /** False if the state graph was too large to be looked at as a whole. */
  readonly isComplete: boolean
}

interface SampleLimits {
  readonly violating: number
  readonly linearizable: number
}

const mostStates = 150_000
const sampleLimits: SampleLimits = { violating: 120, linearizable: 160 }

/** Samples of a client's executions, by seed. */
export type Executions = (seed: number, limits?: SampleLimits) => Unhurried<SampledExecutions>

/** Its state graph is built once. */
export function* executionsOf(subject: ObjectSubject): Unhurried<Executions> {
  const graph = yield* graphOf(subject)
  return (seed, limits = sampleLimits) => drawn({ graph, subject }, new Random(seed), limits)
}

interface Drawing {
  readonly graph: Graph
  readonly subject: ObjectSubject
}

/** A breath after each execution. */
function* drawn({ graph, subject }: Drawing, random: Random, limits: SampleLimits): Unhurried<SampledExecutions> {
  const world = new ObjectWorld(subject).fused()
  const sample = function* (wanted: 'bad' | 'good', limit: number): Unhurried<readonly RecordedExecution[]> {
    const found = new Map<string, RecordedExecution>()
    const tried = new Set<string>()
    for (let tries = 0; found.size < limit && tries < 3 * limit; tries++) {
      yield
      const path = graph.path(wanted, random)
      if (path === undefined) break
      // Small graphs have few paths, and drawing one again is much cheaper than executing it again.
      if (tried.has(path.join())) continue
      tried.add(path.join())
      const execution = executed(world, path.map(decisionOf))
      if (execution !== undefined) found.set(traceKey(execution.accesses), { accesses: execution.accesses })
    }
    return [...found.values()]
  }
  return {
    violating: yield* sample('bad', limits.violating),
    linearizable: yield* sample('good', limits.linearizable),
    isComplete: graph.isComplete,
  }

  function decisionOf(process: number): Decision {
    return { kind: 'step', process: world.processes[process] ?? `p${process + 1}` }
  }
}

/** Equal for executions that order the same conflicting accesses the same way. */
function traceKey(accesses: readonly ExecutedAccess[]): string {
  const last = new Map<string, { writes: string; reads: string[] }>()
  const counts = new Map<number, number>()
  const lines: string[] = []
  for (const { process, object, part, mode } of accesses) {
    const at = counts.get(process) ?? 0
    counts.set(process, at + 1)
    const name = `${process}.${at}`
    const place = `${object}/${part}`
    const seen = last.get(place) ?? { writes: '', reads: [] }
    lines.push(`${name}<${mode === 'read' ? seen.writes : [seen.writes, ...seen.reads.sort()].join()}`)
    last.set(
      place,
      mode === 'read' ? { writes: seen.writes, reads: [...seen.reads, name] } : { writes: name, reads: [] },
    )
  }
  return lines.sort().join(' ')
}

interface GraphNode {
  readonly edges: { readonly process: number; readonly to: number }[]
  bad: boolean
  good: boolean
}

class Graph {
  readonly nodes: GraphNode[] = []
  isComplete = true

  /** A random path from the start to an ending of the wanted kind. */
  path(wanted: 'bad' | 'good', random: Random): readonly number[] | undefined {
    if (this.nodes[0]?.[wanted] !== true) return undefined
    const steps: number[] = []
    let node = this.nodes[0]
    for (let length = 0; length < 10_000; length++) {
      const edges = node.edges.filter(({ to }) => this.nodes[to]?.[wanted] === true)
      if (edges.length === 0) return steps
      const edge = edges[random.below(edges.length)] as (typeof edges)[number]
      steps.push(edge.process)
      node = this.nodes[edge.to] as GraphNode
    }
    return undefined
  }

  /** Which kinds of endings can be reached from where. */
  propagate(): void {
    const before: number[][] = this.nodes.map(() => [])
    for (const [from, { edges }] of this.nodes.entries()) for (const { to } of edges) before[to]?.push(from)
    for (const kind of ['bad', 'good'] as const) {
      const open = this.nodes.flatMap((node, index) => (node[kind] ? [index] : []))
      for (let index = open.pop(); index !== undefined; index = open.pop()) {
        for (const from of before[index] ?? []) {
          const node = this.nodes[from] as GraphNode
          if (node[kind]) continue
          node[kind] = true
          open.push(from)
        }
      }
    }
  }
}

/** So many steps take a millisecond, of a class whose own steps take no time. */
const stepsPerBreath = 64

/** All states, with invisible steps taken first (thesis, Algorithm 1): they order nothing. */
function* graphOf(subject: ObjectSubject): Unhurried<Graph> {
  const walk = new ObjectWorld(subject).fused().walk()
  const graph = new Graph()
  const numbers = new Map<string, number>()
  const stack: { readonly node: number; readonly moves: readonly number[]; next: number }[] = []
  const enter = (): number => {
    const key = walk.key()
    const known = numbers.get(key)
    if (known !== undefined) return known
    const node = graph.nodes.length
    numbers.set(key, node)
    const moves = walk.moves()
    const invisible = moves.find((move) => !move.visible)
    const ended = moves.length === 0
    const bad = ended && walk.violation() !== undefined
    graph.nodes.push({ edges: [], bad, good: ended && !bad })
    stack.push({ node, moves: (invisible === undefined ? moves : [invisible]).map(({ process }) => process), next: 0 })
    return node
  }
  enter()
  for (let [top, round] = [stack.at(-1), 1]; top !== undefined; top = stack.at(-1), round++) {
    if (round % stepsPerBreath === 0) yield
    const process = top.moves[top.next++]
    if (process === undefined || graph.nodes.length >= mostStates) {
      if (process !== undefined) graph.isComplete = false
      stack.pop()
      if (stack.length > 0) walk.back()
      continue
    }
    const depth = stack.length
    walk.step(process)
    const to = enter()
    graph.nodes[top.node]?.edges.push({ process, to })
    if (stack.length === depth) walk.back()
  }
  yield
  graph.propagate()
  return graph
}
