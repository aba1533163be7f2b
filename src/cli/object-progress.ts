/** Progress of a class check in words. */
import type { ObjectProgress } from '../check/objects/request.ts'
import { clock, estimate, rough, whole } from './progress-line.ts'

export interface ObjectSubjectLine {
  readonly label: string
  readonly budget: number | undefined
}

/** ' Stack  12 of 36 clients · 18,204 states · 61k/s · est. 54k · 33 % · 0:03 of 1:00' */
export function objectProgressText(progress: ObjectProgress, { label, budget }: ObjectSubjectLine): string {
  const { phase, clients, outOf, states, milliseconds } = progress
  const rate = milliseconds === 0 ? 0 : (states * 1000) / milliseconds
  const limit = budget === undefined ? '' : ` of ${clock(budget)}`
  const parts = [
    ...(phase === 'searching' ? [] : [phase]),
    `${whole(clients)}${outOf === undefined ? '' : ` of ${whole(outOf)}`} clients`,
    `${whole(states)} states`,
    `${rough(rate)}/s`,
    // Clients come smallest first, so what is left takes longer than what was done: the estimate is a lower bound.
    ...(outOf === undefined || phase !== 'searching' ? [] : estimate(states, clients / outOf)),
    `${clock(milliseconds)}${limit}`,
  ]
  return ` ${label}  ${parts.join(' · ')}`
}
