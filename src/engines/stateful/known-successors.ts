/**
 * Which steps lead to states met before, without taking them: steps to such states are preferred (thesis §2.2.3.3, transition
 * enumeration), and where nothing else is left the search does not ask about dependencies (§2.2.2.1, second optimisation).
 *
 * Taking each step to see where it leads is too dear: on concurrent stacks and lists 1.5 to 1.9 times the steps, for 0 to 12 %
 * fewer states. But where the step of p led from the previous state to q, and the step of t that came here is independent of
 * it, the step of p from here leads where the step of t leads from q; if that one was explored, it is known.
 */
import { bit, least } from '../../collections/bit-mask.ts'
import type { Actions } from './actions.ts'
import { type Graph, nowhere } from './graph.ts'
import type { StateFrame } from './state-frame.ts'

export function inheritKnown(frame: StateFrame, from: StateFrame, graph: Graph, actions: Actions): void {
  for (let left = (from.known | from.done) & ~bit(from.process); left !== 0; left &= left - 1) {
    const process = least(left)
    const other = from.successors[process] as number
    const label = from.successorLabels[process] as number
    if (graph.isOpen(other) || actions.dependent(label, from.label)) continue
    const successor = successorOf(other, from.process, graph, actions)
    if (successor === nowhere) continue
    frame.known |= bit(process)
    frame.successors[process] = successor
    frame.successorLabels[process] = actions.continued(label, from.renaming)
  }
}

function successorOf(state: number, process: number, graph: Graph, actions: Actions): number {
  for (let edge = graph.firstEdge(state); edge < graph.edgesEnd(state); edge++) {
    if (actions.process(graph.label(edge)) === process) return graph.target(edge)
  }
  return nowhere
}
