/** Functions that are written elsewhere are called once for each combination of arguments that there is. */
import type { Diagram } from '../../bdd/diagrams.ts'
import { type Diagnostic, DiagnosticError } from '../../core/diagnostic.ts'
import type { Evaluation, LiftedScope } from './evaluation.ts'
import type { Instruction } from './function-run.ts'
import type { Summary } from './summaries/summary.ts'

export function foreignCalled(
  evaluation: Evaluation,
  instruction: Instruction<'foreign'>,
  scope: LiftedScope,
  guard: Diagram,
): Summary {
  const args = instruction.args.map((arg) => evaluation.scalar(arg, scope, guard))
  const called = evaluation.foreign(instruction, args, guard)
  if (called === undefined) throw new DiagnosticError(writtenElsewhere(instruction))
  return called
}

function writtenElsewhere({ name, place }: Instruction<'foreign'>): Diagnostic {
  return {
    code: 'E231',
    message: `\`${name}\` is written elsewhere, and what it does is not known`,
    hint: 'give it a body in P, with `choose` where its answer is not known',
    place,
  }
}
