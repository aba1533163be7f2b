/**
 * A source in which lines of methods cannot be disturbed any more, in one of several ways. None of them is known to be right: who
 * asks for it checks the class again.
 */
import MagicString from 'magic-string'
import type { Class } from 'oxc-parser'
import type { AtomicSection } from '../../../core/code.ts'
import { type Diagnostic, failure, type Result, success } from '../../../core/diagnostic.ts'
import { type ParsedSource, parse } from '../parse.ts'
import { type Callable, callableAt, callablesOf, conflicting, ownNames, reachedNames } from './class-members.ts'
import { lockRegion, problemOf, type Region, regionOf, wholeBody } from './locked-regions.ts'
import { addField, mutexField } from './mutex-field.ts'
import { repeatGuard } from './repeated-guard.ts'
import { isOtherwiseUnchanged } from './unchanged.ts'

/** In the order in which they are tried. */
export const ways = ['lines', 'methods', 'ask again'] as const
export type Way = (typeof ways)[number]

export interface RepairedSource {
  readonly text: string
  /** Synchronous methods that touch the same fields, and cannot wait for the lock. */
  readonly unlocked: readonly string[]
}

/** The sections are all of this file. */
export function repairedSource(
  source: string,
  { file, sections, way }: { readonly file: string; readonly sections: readonly AtomicSection[]; readonly way: Way },
): Result<RepairedSource> {
  const parsed = parse(source, file)
  if (!parsed.ok) return parsed
  const targets = sections.map((section) => ({ section, callable: callableAt(parsed.value, section) }))
  const lost = targets.find(({ callable }) => callable === undefined)
  if (lost !== undefined) return failure(byHand(lost.section, 'they do not stand in a method of a class'))
  const found = targets.flatMap(({ section, callable }) => (callable === undefined ? [] : [{ section, callable }]))
  const text = new MagicString(source)
  const edited = way === 'ask again' ? askedAgain(parsed.value, text, found) : locked(parsed.value, text, found, way)
  if (!edited.ok) return edited
  const after = parse(text.toString(), file)
  const [section] = sections
  if (section === undefined || !after.ok || text.toString() === source) return failure(notSafe(sections))
  const { members, added, unlocked } = edited.value
  if (!isOtherwiseUnchanged(parsed.value.program, after.value.program, { members, added })) {
    return failure(notSafe(sections))
  }
  return success({ text: text.toString(), unlocked })
}

interface Target {
  readonly section: AtomicSection
  readonly callable: Callable
}

interface Edited {
  /** Names of what was changed, and of what is new. */
  readonly members: ReadonlySet<string>
  readonly added: ReadonlySet<string>
  readonly unlocked: readonly string[]
}

function askedAgain(source: ParsedSource, text: MagicString, targets: readonly Target[]): Result<Edited> {
  for (const { section, callable } of targets) {
    const isDone = repeatGuard(source, text, callable, section.lines)
    if (!isDone) return failure(byHand(section, 'nothing is asked before an await that could be asked again behind it'))
  }
  return success({ members: new Set(targets.map(({ callable: { name } }) => name)), added: new Set(), unlocked: [] })
}

function locked(
  source: ParsedSource,
  text: MagicString,
  targets: readonly Target[],
  way: 'lines' | 'methods',
): Result<Edited> {
  const [target] = targets
  const owner = commonOwner(targets.map(({ callable }) => callable.owner))
  if (target === undefined || owner === undefined) return failure(severalClasses(targets))
  const changed = new Set(targets.map(({ callable }) => callable.member))
  const callables = [...new Set(targets.map(({ callable }) => callable.owner))].flatMap(callablesOf)
  const own = callables.filter(({ member }) => changed.has(member))
  const field = mutexField(
    source,
    owner,
    own.every((one) => one.owner === owner),
  )
  const isAsync = own.some(({ code }) => code.async)
  const others = conflicting(callables, own)
  const takes = [...own, ...(way === 'methods' ? others : [])]
  // On one thread nobody could give a lock back while a synchronous method waits for it.
  const able = takes.filter(({ code }) => code.async === isAsync)
  const unlocked = [...own, ...others].filter((one) => one.code.async !== isAsync).map(({ name }) => name)
  const free = able.filter(({ body }) => !(field.isThere && ownNames(body).has(field.name)))
  const regions =
    way === 'methods'
      ? free.map(wholeBody)
      : targets
          .filter(({ callable: { member } }) => free.some((one) => one.member === member))
          .map((one) => regionFor(source, one))
  const problem = regions.map(problemOf).find((one) => one !== undefined) ?? nested(regions, able, callables)
  if (problem !== undefined) return failure(byHand(target.section, problem))
  for (const region of regions) lockRegion(source, text, region, `this.${field.name}`)
  if (!field.isThere && regions.length > 0) addField(source, text, owner, field)
  const members = new Set(regions.map(({ callable: { name } }) => name))
  return success({ members, added: new Set([field.name]), unlocked })
}

function regionFor(source: ParsedSource, { section, callable }: Target): Region {
  return regionOf(source, callable, section.lines)
}

/** The lock is not reentrant: who holds it must not call what takes it. */
function nested(
  regions: readonly Region[],
  takers: readonly Callable[],
  callables: readonly Callable[],
): string | undefined {
  for (const { callable, statements } of regions) {
    const reached = reachedNames(statements, callables)
    const inner = takers.find(({ name }) => reached.has(name))
    if (inner !== undefined) {
      return `${callable.name} calls ${inner.name}, and both need the lock, which cannot be taken twice`
    }
  }
  return undefined
}

/** The class whose field all the methods can see: the only one, or the one the others extend. */
function commonOwner(owners: readonly Class[]): Class | undefined {
  const extendsOne = (each: Class, base: Class): boolean => {
    if (each === base) return true
    const { superClass } = each
    if (superClass?.type !== 'Identifier') return false
    const parent = owners.find((one) => one.id?.name === superClass.name)
    return parent !== undefined && extendsOne(parent, base)
  }
  return owners.find((base) => owners.every((each) => extendsOne(each, base)))
}

function byHand(section: AtomicSection, why: string): Diagnostic {
  const { first, last } = section.lines
  return {
    code: 'E305',
    message: `lines ${first}–${last} of ${section.function} cannot be repaired automatically: ${why}`,
    hint: 'make these lines atomic by hand, with a Mutex of allways/sync in every method that conflicts with them',
    place: { file: section.file, line: first, column: 1 },
  }
}

function notSafe(sections: readonly AtomicSection[]): Diagnostic {
  const [section] = sections
  return section === undefined ? nothing : byHand(section, 'the text around them cannot be changed safely')
}

function severalClasses(targets: readonly Target[]): Diagnostic {
  const [target] = targets
  const names = [...new Set(targets.map(({ section }) => section.function.split('.')[0]))].join(' and ')
  return target === undefined ? nothing : byHand(target.section, `${names} need one lock in common`)
}

const nothing: Diagnostic = {
  code: 'E305',
  message: 'there are no lines to make atomic',
  hint: 'look at the execution that fails',
}
