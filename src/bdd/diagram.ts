/** The number of a node. It stands for the function from assignments of the variables to leaves that is read off below that node. */
export type Diagram = number

/** Values of variables. Those that it does not name are of no account, or false. */
export interface Assignment {
  get(variable: number): boolean | undefined
}

/**
 * More nodes are live than there may be, or than there is memory for. Nothing is broken: what was built so far is whole, and after a collection
 * with fewer roots the same operation may succeed.
 */
export class DiagramsFull extends Error {
  override readonly name = 'DiagramsFull'

  constructor(nodes: number) {
    super(`there is no room for another decision diagram node: ${nodes} are live`)
  }
}

/** So many nodes were made as the caller wanted to wait for. Nothing is broken: the same operation, asked again, finds most of its work done. */
export class DiagramsPaused extends Error {
  override readonly name = 'DiagramsPaused'

  constructor() {
    super('the operation has taken as long as it may at a time')
  }
}

/** What callers must keep to. Not `invariant` of the core, because this folder stands alone. */
export function mustHold(condition: boolean, what: string): asserts condition {
  if (!condition) throw new Error(`this must hold: ${what}`)
}
