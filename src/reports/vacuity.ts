/** What never happened in what was explored, in words. */
import { type Verdict, vacuityIn } from '../core/verdict.ts'
import type { Vacuity } from '../core/witness.ts'
import { counted, number } from './count-words.ts'

/** Of each code so many; the rest are counted. */
const shownOfEach = 3

export function vacuityLines(verdict: Verdict): readonly string[] {
  const all = vacuityIn(verdict)
  return [...new Set(all.map(({ code }) => code))].flatMap((code) => {
    const alike = all.filter((one) => one.code === code)
    const left = alike.length - shownOfEach
    const more = left > 0 ? [`note: ${number(left)} more of the kind above (${code})`] : []
    const label = code === 'declaration-assumed' ? 'assumed' : 'note'
    return [...alike.slice(0, shownOfEach).map((one) => `${label}: ${words(one)}${placeText(one)}`), ...more]
  })
}

function fieldNeverThere(field: string): string {
  if (/ with "[^"]*"$/.test(field)) return `${field} is read, and none of them has it`
  if (field.includes(' of messages ')) return `${field} is read, and no message has it`
  return `${field} is read, and no ${field.includes(' of calls of ') ? 'call' : 'state'} has it`
}

function placeText({ place }: Vacuity): string {
  return place === undefined ? '' : ` (${place.file}:${place.line})`
}

function words({ code, subject, count, place }: Vacuity): string {
  switch (code) {
    case 'operation-always-throws':
      return `${subject} throws in ${count === 1 ? 'its only call' : `all ${counted(count, 'call')}`}, so nothing is known about what it does`
    case 'operation-never-called':
      return `${subject} is ${place === undefined ? 'never called' : 'made and never announced, as in announce(…)'}`
    case 'operation-left-out':
      return `${subject} is never called: its name is computed; declare the check in a file to have it called`
    case 'call-not-asked-about':
      return `${subject} is announced, and no property asks about it: refines(…) names a specification that has it`
    case 'property-never-evaluated':
      return neverEvaluated(subject)
    case 'field-never-there':
      return fieldNeverThere(subject)
    case 'field-misspelt':
      return `${subject} is never read`
    case 'field-never-read':
      return `${subject} is read by no ${subject.includes(' of messages ') ? 'handler' : 'operation'}`
    case 'process-never-there':
      return `${subject} is asked for, and no execution has it`
    case 'monitor-saw-nothing':
      return `monitor "${subject}" is never told anything`
    case 'process-never-ran':
      return `process "${subject}" never gets past its first operation`
    case 'state-never-entered':
      return `${subject} is never entered`
    case 'handler-never-run':
      return `${subject} never runs`
    case 'message-never-received':
      return `messages ${subject === 'without kind' ? subject : `of kind "${subject}"`} are sent and never received`
    case 'never-said':
      return `Byzantine machine "${subject}" never says what others have signed: they never send it`
    case 'choice-of-one':
      return `process "${subject}" chooses among one option only`
    case 'transaction-never-committed':
      return `${subject} is never committed, so nobody sees what it writes`
    case 'message-never-acknowledged':
      return `${subject} are never acknowledged: they come again if who takes them crashes`
    case 'unique-never-there':
      return `${subject} is in no row, so its being unique forbids nothing`
    case 'clock-assumed':
      return `clock of "${subject}": a timer fires at any moment, after those that were set before it for no longer; time passes when timers fire`
    case 'service-assumed':
      return subject
    case 'declaration-assumed':
      return `${subject}, as it was tried with some of the calls`
    case 'handler-may-go-on':
      return `${subject} may go on for ever by what it chooses, which is no violation`
    case 'timers-cut':
      return `${subject} in an execution fire no more, so what would come of it is not explored`
    case 'history-without-calls':
      return withoutCalls(subject, count)
    case 'taken-from-file':
      return `${counted(count, subject)} of these ${count === 1 ? 'is' : 'are'} taken from the checkpoint, as it says, and not explored again`
    case 'proof-not-confirmed':
      return `no execution of "${subject}" was compared with what was proved`
    case 'not-looked-for':
      return `what never happens is not looked for in ${subject}`
  }
}

function withoutCalls(subject: string, count: number): string {
  const failed = count === 0 ? '' : ` but ${counted(count, 'failed one')}`
  return `the history has no calls${failed}, so it says nothing about ${subject}`
}

function neverEvaluated(subject: string): string {
  if (subject.startsWith('conflict ')) return `${subject} compares nothing: "each" gives undefined in every state`
  if (subject.startsWith('leadsTo ')) return `${subject} asks for nothing: its first condition holds in no state`
  return `${subject} is never asked: no execution ends with all processes done`
}
