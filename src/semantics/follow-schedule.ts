/** Looks for an execution that goes wrong among those that deliver the same messages in the same order: what is chosen in between is free. */
import type { Decision } from '../core/trace.ts'
import type { Unhurried } from '../core/unhurried.ts'
import { isEnabled, type Path, type Paths } from '../program/path.ts'

export interface Followed {
  /** Up to the violation; undefined: none was found. */
  readonly decisions: readonly Decision[] | undefined
  /** Whether there are no others. */
  readonly isExhausted: boolean
}

/** Depth first, over at most so many steps. */
export function* followed(subject: Paths, schedule: readonly Decision[], most: number): Unhurried<Followed> {
  const path = subject.begin({ decisions: schedule.length })
  const fixed = schedule.filter(({ kind }) => kind !== 'choose')
  const taken: { readonly decision: Decision; readonly others: Decision[]; readonly at: number }[] = []
  let at = 0
  for (let steps = 0; steps < most; steps++) {
    if (steps % stride === 0) yield
    if (path.violations().length > 0) return { decisions: taken.map(({ decision }) => decision), isExhausted: false }
    const open = optionsAt(path, fixed[at])
    if (open.length === 0) {
      // Back to the last choice that has another option.
      for (let last = taken.pop(); ; last = taken.pop()) {
        if (last === undefined) return { decisions: undefined, isExhausted: true }
        path.back()
        at = last.at
        if (last.others.length === 0) continue
        open.push(...last.others)
        break
      }
    }
    const [decision, ...others] = open
    if (decision === undefined) continue
    taken.push({ decision, others, at })
    if (decision.kind !== 'choose') at++
    path.take(decision)
  }
  return { decisions: undefined, isExhausted: false }
}

const stride = 16

function optionsAt(path: Path, next: Decision | undefined): Decision[] {
  const choices = path.enabled().filter(({ kind }) => kind === 'choose')
  if (choices.length > 0) return choices
  return next !== undefined && isEnabled(path, next) ? [next] : []
}
