/** What some functions may not do, neither themselves nor through those they call. */
import type { Span } from './ast.ts'
import { type Act, type Project, refuse } from './project.ts'
import type { FunctionSymbol, MachineSymbol } from './symbols.ts'

const notInMonitors: ReadonlySet<Act['what']> = new Set(['send', 'announce', 'receive', 'new', 'this', '$', 'choose'])
const leaving: ReadonlySet<Act['what']> = new Set(['raise', 'goto'])

export function checkDeeds(project: Project): void {
  for (const machine of project.globals.machines.values()) {
    if (machine.kind !== 'machine') checkMonitor(project, machine)
    checkTransitions(project, machine)
  }
}

/** All functions of a machine that have a body: those with a name, then those of its states. */
export function functionsOf(machine: MachineSymbol): ReadonlySet<FunctionSymbol> {
  const found = new Set(machine.functions)
  for (const state of machine.states) {
    if (state.entry !== undefined) found.add(state.entry)
    if (state.exit !== undefined) found.add(state.exit)
    for (const handler of state.handlers.values()) {
      if (handler.kind === 'do') found.add(handler.function)
      if (handler.kind === 'goto' && handler.with !== undefined) found.add(handler.with)
    }
  }
  return found
}

function checkMonitor(project: Project, machine: MachineSymbol): void {
  for (const symbol of functionsOf(machine)) {
    for (const { act, at } of deedsOf(project, [symbol], notInMonitors)) {
      // What a function of the same monitor does is told there.
      if (at !== act.at && isOwn(project, machine, act)) continue
      refuse(project, {
        code: 'E715',
        message: `the monitor "${machine.name}" cannot use "${act.what}"`,
        hint: 'a monitor observes, remembers and asserts; it has no address and takes no part in what happens',
        at,
        second: at === act.at ? undefined : { at: act.at, label: 'in a function it calls' },
      })
    }
  }
}

function isOwn(project: Project, machine: MachineSymbol, act: Act): boolean {
  return [...functionsOf(machine)].some((symbol) => project.deeds.get(symbol)?.acts.includes(act))
}

/** Between two states a machine is in neither: nothing can be raised there, and no other state be chosen. */
function checkTransitions(project: Project, machine: MachineSymbol): void {
  const told = new Set<FunctionSymbol>()
  const check = (symbol: FunctionSymbol | undefined, role: string): void => {
    if (symbol === undefined || told.has(symbol)) return
    told.add(symbol)
    for (const { act, at } of deedsOf(project, [symbol], leaving)) {
      refuse(project, {
        code: 'E716',
        message: `"${act.what}" in ${role}`,
        hint: 'the machine is already on its way to another state: decide in the handler, or in the entry of that state',
        at,
        second: at === act.at ? undefined : { at: act.at, label: 'in a function it calls' },
      })
    }
  }
  for (const state of machine.states) {
    check(state.exit, `the exit function of "${state.name}"`)
    for (const [event, handler] of state.handlers) {
      if (handler.kind === 'goto')
        check(handler.with, `the function between "${state.name}" and "${handler.state}", on "${event}"`)
    }
  }
}

interface Deed {
  readonly act: Act
  /** Where the function does it, or where it calls what does it in the end. */
  readonly at: Span
}

/** Each act once, at the first call that leads to it; nearer functions come first. */
function deedsOf(
  project: Project,
  symbols: Iterable<FunctionSymbol>,
  kinds: ReadonlySet<Act['what']>,
): readonly Deed[] {
  const found = new Map<Act, Deed>()
  const reached = new Map<FunctionSymbol, Span | undefined>()
  for (const symbol of symbols) reached.set(symbol, undefined)
  // The map grows while it is visited.
  for (const [visited, from] of reached) {
    const deeds = project.deeds.get(visited)
    for (const act of deeds?.acts ?? []) {
      if (kinds.has(act.what)) found.set(act, { act, at: from ?? act.at })
    }
    for (const { callee, at } of deeds?.calls ?? []) {
      if (!reached.has(callee)) reached.set(callee, from ?? at)
    }
  }
  return [...found.values()]
}

/** Names that a machine creates, in any of its functions or in what those call. */
export function createdBy(project: Project, machine: MachineSymbol): ReadonlySet<string> {
  const creations = deedsOf(project, functionsOf(machine), new Set(['new'] as const))
  return new Set(creations.flatMap(({ act }) => act.creates ?? []))
}
