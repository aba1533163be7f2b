/** Lines of the notes below a verdict, as far as they are about something at a line; and notes that are no notes, but mistakes. */
import { type Diagnostic, DiagnosticError } from '../core/diagnostic.ts'
import { withPlaces } from '../core/operation.ts'
import { type Verdict, vacuityIn } from '../core/verdict.ts'
import type { Vacuity, VacuityCode, Witness } from '../core/witness.ts'
import type { Host } from '../distribute/driver.ts'
import { forgetMade, isMade, madeFirstAt } from '../program/refinement.ts'
import { searchedAgain, withoutCaller } from './locate.ts'
import { type CheckRequest, requestAgain } from './request.ts'
import { placeOf } from './source-places.ts'

/** Executions and milliseconds a second search may take to meet them: most of them come up at once. */
const budget = { executions: 1_000, milliseconds: 2_000 }

/** What comes up where something is announced, and is not always a mistake. */
const announcedCodes: readonly VacuityCode[] = [
  'call-not-asked-about',
  'field-never-there',
  'field-misspelt',
  'field-never-read',
]
/** Of a call that is made and never announced, which is not seen as one, its line is all that is known. */
const unannounced: VacuityCode = 'operation-never-called'
const isOfStates = / of states of |^field "[^"]*" of machine /

/** Notes with the lines of what they are about. Throws what is no note, but a mistake. */
export async function locatedNotes(verdict: Verdict, request: CheckRequest, host: Host): Promise<Verdict> {
  const notes = vacuityIn(verdict)
  const isPlaced = ({ code, subject }: Vacuity) => announcedCodes.includes(code) && !isOfStates.test(subject)
  const isUnannounced = ({ code, subject }: Vacuity) => code === unannounced && isMade(subject)
  if (request.sweep !== undefined || !notes.some((note) => isPlaced(note) || isUnannounced(note))) return verdict
  forgetMade()
  // What handlers do is remembered, and they would not run again.
  const again = withPlaces(() => requestAgain(request, request.program, request.engine))
  if (!again.ok) return verdict
  await searchedAgain(again.value, budget, host)
  const { witness } = again.value
  const slips = notes.filter(({ code }) => code === 'field-misspelt')
  if (slips.length > 0)
    throw new DiagnosticError(...(slips.map((slip) => misspelt(slip, witness)) as [Diagnostic, ...Diagnostic[]]))
  const vacuity = notes.map((note) => {
    const stack = isUnannounced(note)
      ? madeFirstAt(note.subject)
      : isPlaced(note)
        ? witness.stackOf(note.code, note.subject)
        : undefined
    const place = placeOf(withoutCaller(stack))
    return place === undefined ? note : { ...note, place }
  })
  return { ...verdict, vacuity } as Verdict
}

function misspelt({ code, subject }: Vacuity, witness: Witness): Diagnostic {
  const [, meant] = / in the place of (".*")$/.exec(subject) ?? []
  const message = `${subject} is announced, and its specification never reads it`
  return { code: 'E107', message, hint: `did you mean ${meant}?`, stack: witness.stackOf(code, subject) }
}
