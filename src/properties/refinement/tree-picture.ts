/** A quorum tree as lines of text, with the call that it refuses. */
import { isRoot, labelOf, nodeOf, type Round, roundText, sameRound, type Tree, type TreeNode } from './qtree.ts'

/** What was refused: a node that would be new, or something about one that is there. */
export interface Offence {
  readonly round: Round
  readonly parent?: Round | undefined
  readonly label: string
}

interface Row {
  readonly text: string
  readonly note: string
}

export function treePicture(tree: Tree, offence: Offence): readonly string[] {
  const offending = nodeOf(tree, offence.round) === undefined || offence.parent !== undefined
  const rows = [{ text: 'root', note: '' }, ...rowsUnder(tree, 0, '', offending ? offence : undefined)]
  const isLost = offending && !isDrawn(tree, offence)
  if (isLost) rows.push({ text: `   ${roundText(offence.round)} = ${offence.label}`, note: '✗' })
  const noted = offending ? rows : rows.map((row) => (row.text.endsWith(tailOf(tree, offence)) ? marked(row) : row))
  const width = Math.max(...noted.map(({ text }) => text.length))
  return noted.map(({ text, note }) => (note === '' ? text : `${text.padEnd(width)}   ${note}`))
}

function marked({ text, note }: Row): Row {
  return { text, note: `${note}   ✗`.trimStart() }
}

function tailOf(tree: Tree, { round }: Offence): string {
  const node = nodeOf(tree, round)
  return node === undefined ? '\n' : `─ ${nodeText(node)}`
}

function isDrawn(tree: Tree, { parent = 0 }: Offence): boolean {
  return isRoot(parent) || nodeOf(tree, parent) !== undefined
}

function rowsUnder(tree: Tree, parent: Round, indent: string, offence: Offence | undefined): readonly Row[] {
  const children = tree.filter((node) => sameRound(node.parent, parent))
  const isHere = offence !== undefined && sameRound(offence.parent ?? 0, parent)
  const items: (TreeNode | Offence)[] = [...children, ...(isHere ? [offence] : [])]
  return items.flatMap((item, at) => {
    const isLast = at === items.length - 1
    const branch = `${indent}${isLast ? '└─' : '├─'} `
    if (!('status' in item)) return [{ text: `${branch}${roundText(item.round)} = ${item.label}`, note: '✗' }]
    const below = rowsUnder(tree, item.round, `${indent}${isLast ? '   ' : '│  '}`, offence)
    return [{ text: `${branch}${nodeText(item)}`, note: item.status === 'added' ? '' : item.status }, ...below]
  })
}

function nodeText(node: TreeNode): string {
  return `${roundText(node.round)} = ${labelOf(node)}`
}
