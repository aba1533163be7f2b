/** A random walk: at every step, each enabled decision is as likely as any other. */
import { randomOf, samplingEngine } from './sample.ts'

export const random = samplingEngine(
  'random',
  'samples executions, every enabled decision equally likely',
  (_subject, _setting, seed) => {
    return (sample) => {
      const draws = randomOf(seed, sample)
      return (enabled) => draws.pick(enabled)
    }
  },
)
