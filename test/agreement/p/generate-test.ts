/** Tests of random P programs, and what they want of the machines: modules in all forms, interfaces, parameters. */
import type { Random } from '../../../src/core/random.ts'
import { chance, type EventPlan, indented, type MachinePlan, permittedToPart, type Variable } from './generate-scope.ts'

/** How the machines of a program come together: in turn, so that few programs have most of it. */
const forms = [
  'plain',
  'union',
  'compose',
  'none',
  'renamed',
  'plain',
  'hidden interface',
  'union',
  'bound',
  'plain',
  'hidden event',
  'none',
  'partly watched',
  'plain',
  'main in module',
  'union',
  'implementation',
  'plain',
  'partly watched',
  'none',
  'plain',
] as const
export type Form = (typeof forms)[number]

export interface TestPlan {
  readonly form: Form
  readonly params: 'none' | (typeof parameters)[number]
}

/** Of programs in turn, too: every fourth, if its test can have any. */
const parameters = ['one', 'assumed', 'pairwise', 'wise'] as const

export function testPlan(seed: number): TestPlan {
  const form = forms[seed % forms.length] as Form
  const mayHaveParams = form !== 'none' && form !== 'implementation'
  const params = parameters[(seed % 16) / 4]
  return { form, params: mayHaveParams && params !== undefined ? params : 'none' }
}

/** What there is in every test with parameters. */
export function constantsOf({ params }: TestPlan): readonly Variable[] {
  if (params === 'none') return []
  const first: Variable = { name: 'p0', type: 'int', isFixed: true }
  if (params === 'one') return [first]
  return [first, { name: 'p1', type: 'bool', isFixed: true }, { name: 'p2', type: 'int', isFixed: true }]
}

const assumptions = ['p1 || (p0 < 1)', '((p0 + p2) % 3) == 0', '!p1 ==> (p2 != 1 - p0)', 'p0 >= 0 && (p1 == (p2 > 0))']

function paramsText(random: Random, { params }: TestPlan): string {
  if (params === 'none') return ''
  if (params === 'one') return 'param (p0 in [0, 2]) '
  const some = `param (p0 in [0, 2], p1 in [${random.pick(['true, false', 'false'])}], p2 in [-1, 1, 3]) `
  const assumption = params === 'assumed' || chance(random, 40) ? `assume (${random.pick(assumptions)}) ` : ''
  const wise =
    params === 'pairwise' ? 'pairwise ' : params === 'wise' ? random.pick(['(1 wise) ', '(2 wise) ', '(3 wise) ']) : ''
  return `${some}${assumption}${wise}`
}

/** Sent by a machine of its own, which tells nobody else. */
const secret = 'secret'

/** Modules that keep something to themselves want machines that say what they receive and send. */
export function hasSecret({ form }: TestPlan): boolean {
  return form === 'compose' || form === 'hidden event'
}

/** Whether machines are handed on to those who are not to send what is hidden. */
export function mayHandOn({ form }: TestPlan): boolean {
  return form !== 'hidden event'
}

export interface Asked {
  readonly plan: TestPlan
  readonly events: readonly EventPlan[]
  readonly isRisky: boolean
}

/** With what the form of the test wants of them. */
export function asked(
  random: Random,
  machines: readonly MachinePlan[],
  { plan, events, isRisky }: Asked,
): MachinePlan[] {
  const all = [...events.map(({ name }) => name), 'halt']
  const list = (): readonly string[] | undefined => {
    if (hasSecret(plan)) return all
    if (!chance(random, 15)) return undefined
    return isRisky && chance(random, 40) ? all.filter((name) => name !== random.pick(all)) : all
  }
  return machines.map((machine, at): MachinePlan => {
    const isOther = at === 1
    return {
      ...machine,
      takes: plan.form === 'hidden event' ? 'nothing' : machine.takes,
      as: isOther && plan.form === 'bound' ? `I${machine.name}` : machine.name,
      isNeeded: isOther && (plan.form === 'hidden interface' || plan.form === 'hidden event'),
      receives: list(),
      sends: list(),
    }
  })
}

/** The machine that has a secret. It sends to itself, so that nobody else can be sent it. */
export const secretive: MachinePlan = { name: 'Side', takes: 'nothing', states: [], fields: [], isNeeded: true }

export function secretText(plan: TestPlan): string[] {
  if (!hasSecret(plan)) return []
  const received = plan.form === 'compose' ? `${secret}, e0` : secret
  return [
    `event ${secret};`,
    `machine Side receives ${received}; sends ${secret}; {`,
    ...indented(['var told: int;', 'start state S {', `  entry {`, `    send this, ${secret};`, '  }']),
    ...indented([
      ...(plan.form === 'compose' ? ['  ignore e0;'] : []),
      `  on ${secret} do {`,
      '    told = told + 1;',
      '  }',
      '}',
    ]),
    '}',
  ]
}

/** `receives a, b; sends c;` */
export function listsText({ receives, sends }: MachinePlan): string {
  const list = (word: string, names: readonly string[] | undefined): string =>
    names === undefined ? '' : `${word} ${names.join(', ')}; `
  return `${list('receives', receives)}${list('sends', sends)}`
}

/** What says what may be sent to machines, without being one. */
export function interfacesText(
  machines: readonly MachinePlan[],
  { form }: TestPlan,
  events: readonly EventPlan[],
): string[] {
  const part = permittedToPart.join(', ')
  const other = machines[1]
  const all = [...events.map(({ name }) => name), 'halt']
  const isNamed = other !== undefined && (form === 'renamed' || form === 'bound')
  const takes = other?.takes === 'nothing' ? '' : (other?.takes ?? '')
  return [
    `eventset PartSet = { ${part} };`,
    `interface Part() receives ${part};`,
    ...(isNamed ? [`interface I${other.name}(${takes}) receives ${(other.receives ?? all).join(', ')};`] : []),
  ]
}

export function testText(
  random: Random,
  machines: readonly MachinePlan[],
  monitors: readonly string[],
  plan: TestPlan,
): string[] {
  const { form } = plan
  if (form === 'none' && monitors.length === 0) return []
  const watched = (some: readonly string[], module: string): string =>
    some.length === 0 ? module : `(assert ${some.join(', ')} in ${module})`
  const names = machines.map(({ name }) => name)
  const [main, ...others] = names.map((name, at) => (at === 1 && form === 'bound' ? `${name} -> I${name}` : name))
  const all = `{ ${[main, ...others].join(', ')} }`
  const head =
    form === 'implementation' ? 'implementation tc [main=Main]:' : `test ${paramsText(random, plan)}tc [main=Main]:`
  const [other] = names.slice(1)
  if (form === 'compose') {
    return ['module own = { Side };', `${head} ${watched(monitors, `(compose ${all}, own)`)};`]
  }
  if (form === 'hidden event') {
    return [`${head} ${watched(monitors, `(hidee ${secret} in (union ${all}, { Side }))`)};`]
  }
  if (form === 'main in module') return [`module all = main Main in ${all};`, `${head} ${watched(monitors, 'all')};`]
  if (other === undefined || form === 'plain' || form === 'none' || form === 'implementation' || form === 'bound') {
    return [`${head} ${watched(monitors, all)};`]
  }
  if (form === 'hidden interface') return [`${head} ${watched(monitors, `(hidei ${other} in ${all})`)};`]
  if (form === 'renamed') return [`${head} ${watched(monitors, `(rename ${other} to I${other} in ${all})`)};`]
  const [first, ...rest] = monitors
  const whole = watched(form === 'partly watched' ? rest : monitors, '(union first, others)')
  const part = watched(form === 'partly watched' && first !== undefined ? [first] : [], `{ ${main} }`)
  return [`module first = ${part};`, `module others = { ${others.join(', ')} };`, `${head} ${whole};`]
}
