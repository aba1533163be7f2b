/** One state on the search's path, with what has been done there. Frames are used again: a search makes one per depth. */
import { Edges } from './graph.ts'

export class StateFrame {
  /** Number of the state in the order of meeting, which is its number in `graph.ts` as well. */
  state = 0
  /** Masks of processes: those that can move, those that suffice without looking ahead, those explored. */
  enabled = 0
  safe = 0
  done = 0
  /** See `source-set.ts`; by process, meaningful for those in `done`. */
  readonly covers: number[] = []
  /** Steps explored so far; handed to the graph when the state completes. */
  readonly edges = new Edges()
  /** Processes whose next step is known to lead to a state met before; see `known-successors.ts`. */
  known = 0
  /** By process, for those in `known` and `done`: where its step leads, and its label. */
  readonly successors: number[] = []
  readonly successorLabels: number[] = []
  /** The step being explored. */
  process = 0
  label = 0
  renaming = 0
  /** Least state of the component this one is known to belong to (Tarjan's low link). */
  low = 0
  /** Whether a step leads back to the path. */
  closesCycle = false
  /** First state of the run of reducible states that ends here; beyond every state where this one is irreducible. */
  reducibleSince = 0
  /** The share of the search that each process in `safe` stands for. */
  share = 0
}
