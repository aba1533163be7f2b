/** How much work operations have done, in results that nobody remembered and nodes that were made; and how much of it may be done at a time. */
import { DiagramsPaused } from './diagram.ts'

export class Effort {
  spent = 0
  /** Who spends more than this is paused. */
  most = Number.POSITIVE_INFINITY

  spend(): void {
    if (++this.spent > this.most) throw new DiagramsPaused()
  }
}
