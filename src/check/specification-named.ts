/** Built-in specifications by the names users type. */
import { failure, type Result, success } from '../core/diagnostic.ts'
import { suggestion } from '../core/did-you-mean.ts'
import type { Specification } from '../properties/linearizability/specification.ts'
import { builtInSpecification, specificationNames } from '../properties/linearizability/specifications/catalogue.ts'

export function specificationNamed(name: string): Result<Specification> {
  const found = builtInSpecification(name)
  if ('kind' in found) return success(found)
  const hint = suggestion(name, specificationNames, 'specifications')
  return failure({ code: 'E107', message: `there is no specification "${name}"`, hint })
}
