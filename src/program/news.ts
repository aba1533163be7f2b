import type { Violation } from '../core/property.ts'

/**
 * What is to be told of a path after a decision, where so much has been told before. Where nothing moves, but a fault may still strike,
 * there is an ending, which is judged; what that came to is gone if a fault strikes.
 */
export function* news(violations: readonly Violation[], told: Violation[]): Generator<Violation, void> {
  while (told.length > 0 && told.at(-1) !== violations[told.length - 1]) told.pop()
  for (const violation of violations.slice(told.length)) {
    told.push(violation)
    yield violation
  }
}
