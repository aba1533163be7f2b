/** The tree without its marks: what a parent is up to is not looked at before it is unlinked. */
import { CasTreeSet, type Deletion } from './tree.ts'

export class UnmarkedTreeSet extends CasTreeSet {
  protected override helpDeletion(deletion: Deletion): boolean {
    this.helpMarked(deletion)
    return true
  }
}
