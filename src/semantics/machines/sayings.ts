/**
 * What the Byzantine machines of a system may say. All of them are one adversary: it signs for each of them, sees every message when it is sent, and
 * has of other machines the signatures that they have sent. A declared message with others is no mistake, because it may be sendable later; a
 * machine that was never able to say any such message is noted.
 */
import { takenCopy } from '../../core/copy-value.ts'
import { type Diagnostic, DiagnosticError } from '../../core/diagnostic.ts'
import { nearestName } from '../../core/did-you-mean.ts'
import { grouped } from '../../core/grouped.ts'
import { runAs } from '../../core/running.ts'
import { foreignIn, signaturesIn, signatureText, signing } from '../../core/signed.ts'
import { stackOf, thrownBy } from '../../core/thrown.ts'
import { encodeInOrder, type Value } from '../../core/value.ts'
import { showValue } from '../../core/value-text.ts'
import type { Witness } from '../../core/witness.ts'
import type { Byzantine, Envelope, Saying } from '../../program/machines.ts'
import type { LiarInstance, SystemDefinition } from '../../program/system-definition.ts'
import type { Said } from './channels/byzantine.ts'
import { kindOf } from './context.ts'

/** Each is a process, and an execution has no more than so many. */
const mostSayings = 1_000

/** Nothing if no machine is Byzantine. Mistakes are thrown. */
export function byzantineOf(definition: SystemDefinition, witness?: Witness): Byzantine | undefined {
  const { byzantine } = definition
  if (byzantine.size === 0) return undefined
  refuseWhatIsNotJudged(definition)
  const names = [...byzantine.keys()]
  const sayings = names.flatMap((name) => sayingsOf(name, byzantine.get(name) as LiarInstance, definition))
  const needed = new Set(sayings.flatMap(({ needs }) => needs))
  const relaying = new Set(sayings.flatMap(({ envelope, needs }) => (needs.length > 0 ? [envelope.from] : [])))
  for (const name of relaying) witness?.ask('never-said', name, 0)
  return {
    names,
    sayings,
    shownBy: (message, by) => (needed.size === 0 ? [] : shownOf(message, needed, by)),
    note: ({ envelope: { from }, needs }) => {
      if (needs.length > 0 && relaying.delete(from)) witness?.answer('never-said', from)
    },
  }
}

/** By machine, how many messages it may say; nothing of one that is not declared as it should be. */
export function messagesOfLiars(definition: SystemDefinition): readonly { machine: string; messages: number }[] {
  return [...definition.byzantine].map(([machine, liar]) => {
    return { machine, messages: messagesOf(machine, liar, definition).length }
  })
}

function shownOf(message: Value, needed: ReadonlySet<string>, by: string | undefined): readonly string[] {
  const all = [...signaturesIn(message)].filter((one) => by === undefined || one.by === by).map(signatureText)
  return [...new Set(all)].filter((signature) => needed.has(signature))
}

/** The same where messages are numbers. */
export function saidBy(
  byzantine: Byzantine | undefined,
  number: (saying: Saying) => number,
  envelopeAt: (message: number) => Envelope,
): Said | undefined {
  if (byzantine === undefined) return undefined
  return {
    sayings: byzantine.sayings.map((saying) => {
      return { message: number(saying), needs: saying.needs, note: () => byzantine.note(saying) }
    }),
    shownBy: (message) => byzantine.shownBy(envelopeAt(message).message),
    isForLiar: (message) => byzantine.names.includes(envelopeAt(message).to),
  }
}

/** A saying whose process waits for a signature. */
export interface Sight {
  readonly saying: Saying
  readonly signature: string
}

/**
 * What processes of Byzantine machines are to see of what a machine sent, where `shown` are signatures of its own that it has sent before. Those of
 * others need not be looked at: whoever has signed something has sent it first (`signatures.ts`).
 */
export function sightsOf(
  byzantine: Byzantine | undefined,
  sent: readonly Envelope[],
  shown: Set<string>,
): readonly Sight[] {
  if (byzantine === undefined) return []
  const all = sent.flatMap(({ from, message }) => byzantine.shownBy(message, from))
  const fresh = [...new Set(all)].filter((signature) => !shown.has(signature))
  for (const signature of fresh) shown.add(signature)
  return fresh.flatMap((signature) =>
    byzantine.sayings.flatMap((saying) => (saying.needs.includes(signature) ? [{ saying, signature }] : [])),
  )
}

/** Who may stay silent for ever is no execution that ends or comes round, and networks that order what several machines send know no liars. */
function refuseWhatIsNotJudged(definition: SystemDefinition): void {
  const { network, liveness, monitors } = definition
  if (network !== 'bag' && network !== 'fifo') {
    const message = `system "${definition.name}" has Byzantine machines on the network "${network}"`
    wrong(definition, message, 'a machine that lies keeps no order that others rely on: take bag or fifo')
  }
  const asked = [...(liveness.length > 0 ? ['liveness'] : []), ...(monitors.length > 0 ? ['monitors'] : [])]
  if (asked.length === 0) return
  const message = `system "${definition.name}" has Byzantine machines, and ${asked.join(' and ')}, which are not judged with them`
  wrong(definition, message, 'say it as an invariant, a conflict or a refinement of what correct machines do')
}

function sayingsOf(name: string, liar: LiarInstance, definition: SystemDefinition): readonly Saying[] {
  const isLiar = (by: string) => definition.byzantine.has(by)
  const sayings: Saying[] = []
  for (const message of messagesOf(name, liar, definition)) {
    const needs = [...new Set([...foreignIn(message, isLiar)].map(signatureText))]
    for (const to of takersOf(message, definition)) {
      const envelope = Object.freeze({ from: name, to, message })
      sayings.push({ envelope, needs, process: `${name}#${sayings.length + 1}` })
    }
  }
  if (sayings.length > mostSayings) {
    const many = `Byzantine machine "${name}" may say ${grouped(sayings.length)} messages to machines`
    wrong(liar, `${many}, and ${grouped(mostSayings)} are the most`, 'list fewer: those that can do harm')
  }
  return sayings
}

function takersOf(message: Value, { machines }: SystemDefinition): readonly string[] {
  const kind = kindOf(message) as string
  return [...machines].flatMap(([name, { definition }]) =>
    definition.on.has(kind) || definition.on.has('*') ? [name] : [],
  )
}

/** Fields and items that throw when they are looked at are a mistake like others. */
function messagesOf(name: string, liar: LiarInstance, definition: SystemDefinition): readonly Value[] {
  try {
    return listedBy(name, liar, definition)
  } catch (error) {
    if (error instanceof DiagnosticError) throw error
    return wrong(liar, `"says" of Byzantine machine "${name}" threw ${thrownBy(error).message}`, hintOf(name))
  }
}

function listedBy(name: string, liar: LiarInstance, definition: SystemDefinition): readonly Value[] {
  const listed = listedOnce(name, liar, definition)
  if (typeof liar.says !== 'function') return listed
  if (encodeInOrder(listed) !== encodeInOrder(listedOnce(name, liar, definition))) throw otherSayings(name, liar)
  return listed
}

function otherSayings(name: string, { stack }: LiarInstance): DiagnosticError {
  return new DiagnosticError({
    code: 'E201',
    message: `Byzantine machine "${name}" is not deterministic: "says", called again, returned another list`,
    hint: 'it may depend on the name of the machine and its peers: no clock, no randomness, no variable outside',
    stack,
  })
}

function listedOnce(name: string, liar: LiarInstance, definition: SystemDefinition): readonly Value[] {
  const told = typeof liar.says === 'function' ? asked(name, liar, definition) : liar.says
  if (!Array.isArray(told)) wrong(liar, `"says" of Byzantine machine "${name}" returns no list`, hintOf(name))
  const known = new Set<string>()
  // Places that were left out are no messages either, and `map` would pass over them.
  return [...(told as readonly unknown[])].map((message) => {
    const checked = checkedMessage(name, message, { liar, definition })
    const text = encodeInOrder(checked)
    if (known.has(text)) {
      const twice = `Byzantine machine "${name}" says ${showValue(checked, 80)} twice`
      wrong(liar, twice, 'leave one out: each message is said to each machine at most once')
    }
    known.add(text)
    return checked
  })
}

function hintOf(name: string): string {
  return `${name}: byzantine(kind, { says: [{ kind: 'vote', value: 1 }, …] })`
}

function asked(name: string, { says, stack }: LiarInstance, { names }: SystemDefinition): unknown {
  const peers = Object.freeze(names.filter((one) => one !== name))
  const before = signing.isFree
  signing.isFree = true
  try {
    return runAs(`says of ${name}`, () => (says as (start: object) => unknown)(Object.freeze({ self: name, peers })))
  } catch (error) {
    if (error instanceof DiagnosticError) throw error
    return wrong(
      { stack: stackOf(error) ?? stack },
      `"says" of Byzantine machine "${name}" threw ${thrownBy(error).message}`,
      hintOf(name),
    )
  } finally {
    signing.isFree = before
  }
}

interface Whose {
  readonly liar: LiarInstance
  readonly definition: SystemDefinition
}

function checkedMessage(name: string, message: unknown, { liar, definition }: Whose): Value {
  const taken = takenCopy(message)
  const whose = `Byzantine machine "${name}" says`
  if ('problem' in taken) {
    const { path, found } = taken.problem
    return wrong(liar, `${whose} what is not a value: message${path} is ${found}`, hintOf(name))
  }
  const { value } = taken
  const kind = kindOf(value)
  if (kind === undefined) wrong(liar, `${whose} ${showValue(value, 80)}, which has no kind`, hintOf(name))
  if (takersOf(value, definition).length === 0) {
    const known = [...new Set([...definition.machines.values()].flatMap((one) => [...one.definition.on.keys()]))]
    const nearest = nearestName(kind, known)
    const kinds = known.length === 0 ? 'they take none' : `they take ${known.join(', ')}`
    const hint = nearest === undefined ? kinds : `did you mean "${nearest}"? ${kinds}`
    wrong(liar, `${whose} a message of kind "${kind}", which no machine takes`, hint)
  }
  const stranger = [...signaturesIn(value)].find(({ by }) => !definition.names.includes(by))
  if (stranger !== undefined) {
    const names = definition.names.map((one) => JSON.stringify(one)).join(', ')
    wrong(
      liar,
      `${whose} ${showValue(stranger as unknown as Value, 80)}, and "${stranger.by}" is no machine`,
      `machines are ${names}`,
    )
  }
  return value
}

/** At the line that declares it. */
function wrong({ stack }: { readonly stack?: string | undefined }, message: string, hint: string): never {
  const diagnostic: Diagnostic = { code: 'E236', message, hint, stack }
  throw new DiagnosticError(diagnostic)
}
