/**
 * The quorum tree as Algorithm 4 of the thesis prints it, for one decision. Two things are read as they are meant: a node is the highest that is committed if all
 * *other* committed nodes are below it (as printed it would have to be below itself), and a node extends itself. Nothing else is put right.
 */
interface PrintedNode {
  readonly round: number
  readonly value: string | undefined
  readonly parent: number
  readonly status: 'added' | 'committed' | 'ghost'
}

/** With the root, whose round is 0. */
export type PrintedTree = readonly PrintedNode[]

export const printedRoot: PrintedTree = [{ round: 0, value: undefined, parent: 0, status: 'committed' }]

export type PrintedCall =
  | { readonly kind: 'add'; readonly round: number; readonly value: string; readonly parent: number }
  | { readonly kind: 'commit'; readonly round: number }

/** Nothing if it fails. */
export function printed(tree: PrintedTree, call: PrintedCall): PrintedTree | undefined {
  return call.kind === 'add' ? add(tree, call) : commit(tree, call.round)
}

/** Lines 5 to 17. */
function add(tree: PrintedTree, { round, value, parent }: Extract<PrintedCall, { kind: 'add' }>) {
  const above = tree.find((node) => node.round === parent)
  const isLinked = above !== undefined && above.round < round
  const isNewRound = tree.every((node) => node.round !== round)
  if (!isLinked || !isNewRound || (parent !== 0 && above.value !== value)) return undefined
  const last = Math.max(...tree.filter(({ status }) => status === 'committed').map((node) => node.round))
  if (round > last && !isUnder(tree, parent, last)) return undefined
  const status = tree.some((node) => node.round > round) ? 'ghost' : 'added'
  const grown: PrintedTree = [...tree, { round, value, parent, status }]
  return grown.map((node) => (node.round < round && areConflicting(grown, node.round, round) ? ghost(node) : node))
}

/** Line 15, whatever it was before. */
function ghost(node: PrintedNode): PrintedNode {
  return { ...node, status: 'ghost' }
}

/** Lines 18 to 22. */
function commit(tree: PrintedTree, round: number): PrintedTree | undefined {
  if (!tree.some((node) => node.round === round && node.status === 'added')) return undefined
  return tree.map((node) => (node.round === round ? { ...node, status: 'committed' } : node))
}

function isUnder(tree: PrintedTree, round: number, above: number): boolean {
  if (round === above || above === 0) return true
  const parent = tree.find((node) => node.round === round)?.parent
  return parent !== undefined && round !== 0 && isUnder(tree, parent, above)
}

function areConflicting(tree: PrintedTree, one: number, other: number): boolean {
  return !isUnder(tree, one, other) && !isUnder(tree, other, one)
}
