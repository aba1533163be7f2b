/**
 * What the tests that a program declares are about, written down once more: their parameters, and their modules taken apart. Only what names mean is taken from
 * the checker, which knows nothing of what is done with them here.
 */
import type {
  Declaration,
  DeclarationOf,
  Expression,
  ModuleExpression,
  TestDeclaration,
} from '../../../src/frontends/p/ast.ts'
import type { Checked, MachineSymbol, TestCase } from '../../../src/frontends/p/symbols.ts'
import { evaluate } from './evaluate.ts'
import type { Handling } from './handling.ts'
import { nothing, type Value } from './value.ts'

/** In the order in which they are declared. A program without any has one of all its machines, which nobody watches. */
export function declaredTests(declarations: readonly Declaration[], checked: Checked): readonly TestCase[] {
  const declaring = new Declaring(declarations, checked)
  const of = (kind: 'test' | 'implementation') =>
    declarations.filter((one): one is TestDeclaration => one.kind === kind)
  const tests = [...of('test'), ...of('implementation')].flatMap((test) => declaring.casesOf(test))
  return tests.length > 0 ? tests : [declaring.implicit()]
}

type Chosen = ReadonlyMap<string, number | boolean>

/** A machine in a module: under which name it is created, and whom it means by the names that it creates. */
interface Bound {
  readonly machine: string
  as: string
  means: (name: string) => string
}

interface Module {
  readonly bound: readonly Bound[]
  /** With those that each watches. */
  readonly watched: readonly (readonly [monitor: string, over: readonly Bound[]])[]
  readonly main: string | undefined
}

class Declaring {
  readonly #declarations: readonly Declaration[]
  readonly #checked: Checked

  constructor(declarations: readonly Declaration[], checked: Checked) {
    this.#declarations = declarations
    this.#checked = checked
  }

  casesOf(test: TestDeclaration): readonly TestCase[] {
    const module = this.#moduleOf(test.module)
    const name = test.main?.text ?? module.main ?? 'Main'
    return this.#chosen(test).map((chosen) => {
      const params = new Map(
        this.#checked.parameters.map((one) => [
          one.name,
          chosen.get(one.name) ?? (one.type.kind === 'bool' ? false : 0),
        ]),
      )
      return { ...this.#testOf(module, name), name: `${test.name.text}${suffixOf(chosen)}`, params }
    })
  }

  implicit(): TestCase {
    const all = this.#checked.machines.filter(({ kind }) => kind === 'machine')
    const bound = all.map(({ name }) => ({ machine: name, as: name, means: (other: string) => other }))
    return this.#testOf({ bound, watched: [], main: undefined }, 'Main')
  }

  #testOf({ bound, watched }: Module, main: string): TestCase {
    const byName = new Map(bound.map((one) => [one.as, this.#symbol(one.machine)]))
    const names = this.#declarations.flatMap((one) =>
      one.kind === 'machine' || one.kind === 'interface' ? [one.name.text] : [],
    )
    const created = ({ means }: Bound) =>
      new Map(
        names.flatMap((name) => {
          const target = byName.get(means(name))
          return target === undefined ? [] : [[name, target] as const]
        }),
      )
    return {
      name: 'DefaultImpl',
      at: undefined,
      params: new Map(),
      main: this.#symbol(main),
      machines: [...new Set(byName.values())],
      creates: new Map(bound.map((one) => [this.#symbol(one.machine), created(one)])),
      monitors: watched.map(([monitor, over]) => ({
        monitor: this.#symbol(monitor),
        over: new Set(over.map(({ machine }) => this.#symbol(machine))),
      })),
    }
  }

  #symbol(name: string): MachineSymbol {
    const found = this.#checked.machines.find((one) => one.name === name)
    if (found === undefined) throw new Error(`${name} is no machine`)
    return found
  }

  #moduleOf(expression: ModuleExpression): Module {
    switch (expression.kind) {
      case 'name': {
        const named = this.#declarations.find(
          (one): one is DeclarationOf<'module'> => one.kind === 'module' && one.name.text === expression.name.text,
        )
        if (named === undefined) throw new Error(`${expression.name.text} is no module`)
        return this.#moduleOf(named.module)
      }
      case 'bind': {
        const bound = expression.bindings.map(({ machine, as }) => ({
          machine: machine.text,
          as: as.text,
          means: (name: string) => name,
        }))
        return { bound, watched: [], main: undefined }
      }
      case 'union':
      case 'compose': {
        const parts = expression.modules.map((one) => this.#moduleOf(one))
        return {
          bound: parts.flatMap((one) => one.bound),
          watched: parts.flatMap((one) => one.watched),
          main: parts.find((one) => one.main !== undefined)?.main,
        }
      }
      case 'assert': {
        const inner = this.#moduleOf(expression.in)
        const monitors = expression.monitors.map(({ text }) => [text, inner.bound] as const)
        return { ...inner, watched: [...inner.watched, ...monitors] }
      }
      // Who is inside goes on as before.
      case 'hideEvents':
      case 'hideInterfaces':
        return this.#moduleOf(expression.in)
      case 'rename': {
        const inner = this.#moduleOf(expression.in)
        const renamed = (name: string): string => (name === expression.from.text ? expression.to.text : name)
        for (const one of inner.bound) {
          const { means } = one
          one.as = renamed(one.as)
          one.means = (name) => renamed(means(name))
        }
        return inner
      }
      case 'main':
        return { ...this.#moduleOf(expression.in), main: expression.machine.text }
    }
  }

  /** All values together, the first parameter's changing fastest; then what is assumed; then as few as show all groups of so many. */
  #chosen({ params, assume, wise = params.length }: TestDeclaration): readonly Chosen[] {
    let all: Chosen[] = [new Map()]
    for (const { name, values } of params) {
      all = values.flatMap((value) => all.map((one) => new Map([...one, [name.text, this.#literal(value)]])))
    }
    const allowed = assume === undefined ? all : all.filter((one) => this.#value(assume, one) === true)
    return wise >= params.length ? allowed : covering(allowed, wise)
  }

  #literal(expression: Expression): number | boolean {
    return this.#value(expression, new Map())
  }

  #value(expression: Expression, params: Chosen): number | boolean {
    const subject = { checked: this.#checked, test: { params } }
    // Assumptions are about parameters alone.
    const handling = { subject } as unknown as Handling
    const value: Value = evaluate(expression, { handling, locals: new Map(), call: () => nothing })
    if (value.kind !== 'bool' && value.kind !== 'int') throw new Error('parameters are numbers and conditions')
    return value.is
  }
}

/** Again and again the one with most groups that none before it has, of several the first. */
function covering(all: readonly Chosen[], wise: number): readonly Chosen[] {
  const groupsOf = (one: Chosen): readonly string[] => groups([...one], wise).map((group) => JSON.stringify(group))
  const open = new Set(all.flatMap(groupsOf))
  const chosen: Chosen[] = []
  while (open.size > 0) {
    const news = all.map((one) => groupsOf(one).filter((group) => open.has(group)))
    const most = Math.max(...news.map(({ length }) => length))
    const at = news.findIndex(({ length }) => length === most)
    for (const group of news[at] ?? []) open.delete(group)
    chosen.push(all[at] as Chosen)
  }
  return chosen
}

function groups<T>(items: readonly T[], size: number): readonly (readonly T[])[] {
  if (size === 0) return [[]]
  return items.flatMap((item, at) => groups(items.slice(at + 1), size - 1).map((rest) => [item, ...rest]))
}

function suffixOf(chosen: Chosen): string {
  const parts = [...chosen].map(([name, value]) => `${name}_${String(value).replace('-', 'neg')}`)
  return parts.length === 0 ? '' : `___${parts.join('__')}`
}

/**
 * What a test says of its machines and monitors, as text. Of the names under which machines are created those that another test has for the same machine: here
 * there are all names, and there those that the machine uses.
 */
export function testText(
  { name, params, main, machines, creates, monitors }: TestCase,
  { creates: used }: Pick<TestCase, 'creates'>,
): string {
  const sorted = (names: Iterable<string>): string => [...names].sort().join(', ')
  const watched = monitors.map(
    ({ monitor, over }) => `${monitor.name} over ${sorted([...over].map((one) => one.name))}`,
  )
  const links = [...used].flatMap(([creator, names]) =>
    [...names.keys()].map((called) => `${creator.name}: ${called} is ${creates.get(creator)?.get(called)?.name}`),
  )
  const values = [...params].map(([param, value]) => `${param} = ${value}`)
  const lists = [machines.map((one) => one.name), watched, links, values].map(sorted)
  return [name, main.name, ...lists].join('; ')
}
