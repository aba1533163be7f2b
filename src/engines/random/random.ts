/** A random walk: at every step, each enabled decision is as likely as any other. */
import { randomOf, samplingEngine } from './sample.ts'

export const random = samplingEngine({
  name: 'random',
  summary: 'samples executions, every enabled decision equally likely',
  sampler:
    (_subject, { seed }) =>
    (sample) => {
      const draws = randomOf(seed, sample)
      return (decisions, mayEnd) => draws.pick(mayEnd ? [...decisions, undefined] : decisions)
    },
})
