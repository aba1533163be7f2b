/** Module expressions, flattened to who is bound to what, who creates whom, and which monitors watch. */
import type { ModuleExpression, Name, Span } from './ast.ts'
import { createdBy } from './check-deeds.ts'
import { checkHiddenEvents, checkHiddenInterfaces, checkUnion, createdIn, refuseModule } from './check-module-rules.ts'
import { eventNamed } from './check-state.ts'
import { refuseUnknownEvent } from './declare.ts'
import { interfaceOf, type Project, refuseUnknown, refuseUnknownInterface } from './project.ts'
import type { MachineSymbol } from './symbols.ts'
import { isAssignable, typeText } from './type-relations.ts'

export interface Module {
  /** By the interface. */
  readonly bindings: ReadonlyMap<string, MachineSymbol>
  /** By the interface whose machine creates, by the name in its source: the interface that is meant. */
  readonly links: ReadonlyMap<string, ReadonlyMap<string, string>>
  /** With the interfaces that each is asserted over. */
  readonly monitors: ReadonlyMap<MachineSymbol, readonly string[]>
  readonly sends: ReadonlySet<string>
  readonly receives: ReadonlySet<string>
  readonly hidden: ReadonlySet<string>
  /** Of `main M in …`. */
  readonly main: Name | undefined
}

/** Named modules are flattened once; undefined is one that was refused, and a missing one is not begun. */
export class Modules {
  readonly #project: Project
  readonly #named = new Map<string, Module | undefined>()
  readonly #open: string[] = []
  readonly #creates = new Map<MachineSymbol, ReadonlySet<string>>()

  constructor(project: Project) {
    this.#project = project
  }

  /** Undefined: refused, and said why. */
  flatten(expression: ModuleExpression): Module | undefined {
    switch (expression.kind) {
      case 'name':
        return this.named(expression.name)
      case 'bind':
        return this.#bind(expression.bindings)
      case 'union':
      case 'compose':
        return this.#join(expression.modules, expression.kind, expression.at)
      case 'assert':
        return this.#assert(expression.monitors, expression.in)
      case 'hideEvents':
      case 'hideInterfaces':
        return this.#hide(expression.names, expression.kind, expression.in)
      case 'rename':
        return this.#rename(expression.from, expression.to, expression.in)
      case 'main': {
        const module = this.flatten(expression.in)
        return module && { ...module, main: expression.machine }
      }
    }
  }

  named(name: Name): Module | undefined {
    if (this.#named.has(name.text)) return this.#named.get(name.text)
    const declaration = this.#project.globals.modules.get(name.text)
    if (declaration === undefined) {
      refuseUnknown(this.#project, name, {
        what: 'module',
        names: this.#project.globals.machines.has(name.text) ? [] : this.#project.globals.modules.keys(),
        otherwise: this.#project.globals.machines.has(name.text)
          ? `a machine is bound in braces: "{ ${name.text} }"`
          : `declare it: "module ${name.text} = { … };"`,
      })
      return undefined
    }
    if (this.#open.includes(name.text)) {
      refuseModule(
        this.#project,
        name.at,
        `the module "${name.text}" contains itself`,
        'take it out of its own definition',
      )
      return undefined
    }
    this.#open.push(name.text)
    const module = this.flatten(declaration.module)
    this.#open.pop()
    this.#named.set(name.text, module)
    return module
  }

  #bind(bindings: readonly { readonly machine: Name; readonly as: Name; readonly at: Span }[]): Module | undefined {
    const bound = new Map<string, MachineSymbol>()
    for (const { machine: name, as, at } of bindings) {
      const machine = this.#project.globals.machines.get(name.text)
      if (machine?.kind !== 'machine') {
        refuseUnknownInterface(this.#project, name)
        return undefined
      }
      if (!this.#canBind(machine, as)) return undefined
      if (bound.has(as.text)) {
        refuseModule(this.#project, at, `"${as.text}" is bound twice`, 'bind each interface once')
        return undefined
      }
      bound.set(as.text, machine)
    }
    const machines = [...bound.values()]
    const link = (machine: MachineSymbol) => new Map([...this.#created(machine)].map((name) => [name, name]))
    return {
      bindings: bound,
      links: new Map([...bound].map(([as, machine]) => [as, link(machine)])),
      monitors: new Map(),
      sends: new Set(machines.flatMap((machine) => this.#events(machine.sends))),
      receives: new Set(machines.flatMap((machine) => this.#events(machine.receives))),
      hidden: new Set(),
      main: undefined,
    }
  }

  #created(machine: MachineSymbol): ReadonlySet<string> {
    const created = this.#creates.get(machine) ?? createdBy(this.#project, machine)
    this.#creates.set(machine, created)
    return created
  }

  #canBind(machine: MachineSymbol, as: Name): boolean {
    const target = interfaceOf(this.#project, as.text)
    if (target === undefined) {
      refuseUnknownInterface(this.#project, as)
      return false
    }
    const received = this.#events(machine.receives)
    const missing = this.#events(target.receives).find((event) => !received.includes(event))
    const problem =
      missing !== undefined
        ? `"${as.text}" promises to receive "${missing}", which "${machine.name}" does not`
        : isAssignable(machine.payload, target.payload)
          ? undefined
          : `"${as.text}" is created with ${typeText(target.payload)}, "${machine.name}" with ${typeText(machine.payload)}`
    if (problem === undefined) return true
    refuseModule(
      this.#project,
      as.at,
      problem,
      'a machine can stand for an interface whose events and payload it accepts',
    )
    return false
  }

  /** The names of all events, where nothing is said. */
  #events(names: readonly string[] | undefined): readonly string[] {
    return names ?? ['halt', ...this.#project.globals.events.keys()]
  }

  #join(expressions: readonly ModuleExpression[], kind: 'union' | 'compose', at: Span): Module | undefined {
    const modules = expressions.map((expression) => this.flatten(expression))
    const whole = modules.filter((module) => module !== undefined)
    if (whole.length < modules.length || !checkUnion(this.#project, whole, kind, at)) return undefined
    return {
      bindings: new Map(whole.flatMap((module) => [...module.bindings])),
      links: new Map(whole.flatMap((module) => [...module.links])),
      monitors: new Map(whole.flatMap((module) => [...module.monitors])),
      sends: new Set(whole.flatMap((module) => [...module.sends])),
      receives: new Set(whole.flatMap((module) => [...module.receives])),
      hidden: new Set(whole.flatMap((module) => [...module.hidden])),
      main: whole.find((module) => module.main !== undefined)?.main,
    }
  }

  #assert(names: readonly Name[], expression: ModuleExpression): Module | undefined {
    const module = this.flatten(expression)
    const monitors = new Map(module?.monitors)
    let isWhole = module !== undefined
    for (const name of names) {
      const monitor = this.#monitor(name)
      if (monitor === undefined) isWhole = false
      if (monitor === undefined || module === undefined) continue
      const unsent = monitor.observes.find((event) => !module.sends.has(event))
      if (unsent !== undefined) {
        const hint = `remove "${unsent}" from what it observes, or assert it over the machines that send it`
        refuseModule(
          this.#project,
          name.at,
          `"${name.text}" observes "${unsent}", which nothing in the module sends`,
          hint,
        )
        isWhole = false
      }
      if (monitors.has(monitor)) {
        refuseModule(this.#project, name.at, `"${name.text}" is asserted twice over one module`, 'assert it once')
        isWhole = false
      }
      monitors.set(monitor, [...module.bindings.keys()])
    }
    return module !== undefined && isWhole ? { ...module, monitors } : undefined
  }

  #monitor(name: Name): MachineSymbol | undefined {
    const monitor = this.#project.globals.machines.get(name.text)
    if (monitor !== undefined && monitor.kind !== 'machine') return monitor
    const monitors = [...this.#project.globals.machines.values()].filter((machine) => machine.kind !== 'machine')
    refuseUnknown(this.#project, name, {
      what: 'monitor',
      names: monitor === undefined ? monitors.map((one) => one.name) : [],
      otherwise:
        monitor === undefined ? `declare it: "spec ${name.text} observes … { … }"` : 'only a "spec" can be asserted',
    })
    return undefined
  }

  #hide(
    names: readonly Name[],
    kind: 'hideEvents' | 'hideInterfaces',
    expression: ModuleExpression,
  ): Module | undefined {
    const module = this.flatten(expression)
    if (module === undefined) return undefined
    if (kind === 'hideInterfaces') return checkHiddenInterfaces(this.#project, module, names) ? module : undefined
    const unknown = names.filter((name) => eventNamed(this.#project, name) === undefined)
    for (const name of unknown) refuseUnknownEvent(this.#project, name)
    if (unknown.length > 0 || !checkHiddenEvents(this.#project, module, names)) return undefined
    const hidden = new Set(names.map((name) => name.text))
    return {
      ...module,
      sends: new Set([...module.sends].filter((event) => !hidden.has(event))),
      receives: new Set([...module.receives].filter((event) => !hidden.has(event))),
      hidden: new Set([...module.hidden, ...hidden]),
    }
  }

  #rename(from: Name, to: Name, expression: ModuleExpression): Module | undefined {
    const module = this.flatten(expression)
    const [before, after] = [interfaceOf(this.#project, from.text), interfaceOf(this.#project, to.text)]
    if (before === undefined) refuseUnknownInterface(this.#project, from)
    if (after === undefined) refuseUnknownInterface(this.#project, to)
    if (module === undefined || before === undefined || after === undefined) return undefined
    const known = new Set([...createdIn(module), ...module.bindings.keys()])
    const hint = 'an interface is renamed to one with the same events that the module does not use yet'
    const problem = !known.has(from.text)
      ? `nothing in the module is bound to "${from.text}" or creates it`
      : known.has(to.text)
        ? `the module already uses "${to.text}"`
        : this.#events(before.receives).toSorted().join() === this.#events(after.receives).toSorted().join()
          ? undefined
          : `"${from.text}" and "${to.text}" receive different events`
    if (problem !== undefined) {
      refuseModule(this.#project, to.at, problem, hint)
      return undefined
    }
    const renamed = (name: string): string => (name === from.text ? to.text : name)
    const relinked = (links: ReadonlyMap<string, string>) =>
      new Map([...links].map(([name, is]) => [name, renamed(is)]))
    return {
      ...module,
      bindings: new Map([...module.bindings].map(([name, machine]) => [renamed(name), machine])),
      links: new Map([...module.links].map(([name, links]) => [renamed(name), relinked(links)])),
      monitors: new Map([...module.monitors].map(([monitor, over]) => [monitor, over.map(renamed)])),
    }
  }
}
