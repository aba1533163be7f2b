/** What became of engines that took turns, in words; who answered is told by the engine's name already. */
import type { Raced, Verdict } from '../core/verdict.ts'
import { counted } from './count-words.ts'

/** Nothing if the others had no turn. */
export function racedWords({ raced = [], scope }: Verdict): readonly string[] {
  const others = raced.filter(({ engine, counts, ended }) => {
    return engine !== scope.engine && (counts.states !== undefined || ended === 'unable')
  })
  return others.map((other) => wordsOf(other, raced))
}

function wordsOf({ engine, ended, counts }: Raced, all: readonly Raced[]): string {
  const met = counted(counts.states ?? 0, 'state')
  switch (ended) {
    case 'unable':
      return `${engine} cannot explore this system`
    case 'memory':
      return `${engine} was given up for want of memory after ${met}`
    case 'outrun':
      return `${engine} had met ${met} when ${all.find((one) => one.ended === 'answered')?.engine} answered`
    default:
      return `${engine} took turns with it and had met ${met}`
  }
}
