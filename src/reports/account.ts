/** How a verdict is put in words: it depends on what was counted, such as executions, clients of a class, calls of a history. */
import type { Verdict } from '../core/verdict.ts'
import type { Glyphs } from './paint.ts'
import type { Reported } from './result.ts'

export interface Account {
  /** What the verdict speaks about. */
  readonly sentence: (verdict: Verdict) => string
  /** What stands before it: 'bank — ', 'Stack is linearizable: '. */
  readonly subject: (result: Reported, glyphs: Glyphs) => string
  /** Where it was checked and how, with further counts. */
  readonly facts: (result: Reported) => readonly string[]
  /** What the verdict does and does not say, in the reader's words. */
  readonly coverage: (verdict: Verdict) => readonly string[]
}
