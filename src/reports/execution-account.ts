/** Verdicts in words where executions, or states, were counted. */
import { evidenceOf, findingsIn, stepsIn } from '../core/evidence.ts'
import { type FaultBudget, type FaultName, faultNames, mostOf } from '../core/faults.ts'
import type { Params } from '../core/setting.ts'
import { shardWords } from '../core/shard.ts'
import { showValue } from '../core/value-text.ts'
import { type BudgetName, type Counts, calledIn, exploredIn, type Scope, type Verdict } from '../core/verdict.ts'
import type { Account } from './account.ts'
import { counted, number, stoppedBy, violationSoFar } from './count-words.ts'
import type { Glyphs } from './paint.ts'
import type { Reported } from './result.ts'

export const executionAccount: Account = { sentence, subject, facts, coverage }

function sentence(verdict: Verdict): string {
  const { scope } = verdict
  const setting = settingWords(scope)
  switch (verdict.kind) {
    case 'proved':
      return `for all values of ${listed(scope.values?.types ?? [])}: ${allExecutions(verdict)} of classes, ${setting}`
    case 'verified': {
      const classes = scope.values?.of === 'all' ? ` of classes of ${listed(scope.values.types)}` : ''
      return `${allExecutions(verdict)}${classes}, ${setting}`
    }
    case 'passed':
      if (scope.shard !== undefined) return `no violation in ${explored(verdict)}, ${setting}`
      if (scope.isReplay === true) return `the recorded execution violates nothing, ${setting}`
      return `no violation in ${counted(total(verdict), 'random execution')} (${scope.engine}, seed ${scope.seed}), ${setting}; not exhaustive`
    case 'violated': {
      const found = findingsIn(verdict.evidence)
      const steps = found[0]?.kind === 'execution' ? stepsIn(found[0]) : 0
      return violatedSentence(verdict, { violations: found.length, steps })
    }
    case 'incomplete':
      if (evidenceOf(verdict.evidence, 'suspected').length > 0)
        return `neither proved nor violated: what goes wrong over classes of ${listed(scope.values?.types ?? [])} was found for no values, in ${explored(verdict)}, ${setting}`
      return `${violationSoFar(verdict)} ${soFar(verdict)}, ${setting}${stoppedBy(verdict.because)}`
  }
}

/** 'in 4,348 states so far (61 %, estimated)'; where all executions grow at once, 'up to 17 steps (4,348 states)'. */
function soFar(verdict: Extract<Verdict, { readonly kind: 'incomplete' }>): string {
  const { counts, explored: part } = verdict
  if (counts.bddNodes === undefined) return `in ${explored(verdict)} so far${share(part)}`
  return `up to ${lengthWords(counts)} (${explored(verdict)}${counts.states === undefined ? ' ended' : ''})`
}

/** '17 steps' */
function lengthWords({ steps = 0, rounds }: Counts): string {
  return rounds === undefined ? counted(steps, 'step') : counted(rounds, 'round')
}

/** With so many violations, the first of which takes so many steps. */
export function violatedSentence(
  verdict: Extract<Verdict, { readonly kind: 'violated' }>,
  { violations, steps }: { readonly violations: number; readonly steps: number },
): string {
  const setting = settingWords(verdict.scope)
  if (verdict.exhausted) return `${counted(violations, 'violation')} in ${explored(verdict)}, ${setting}`
  if (verdict.because !== undefined) {
    const so = `${counted(violations, 'violation')} so far in ${explored(verdict)}, ${setting}`
    return `${so}${stoppedBy(verdict.because, verdict.unconfirmed)}`
  }
  const isFirst = nounOf(verdict) === 'execution' && total(verdict) <= 1
  const when = isFirst ? 'found in the first execution' : `found after ${explored(verdict)}${upToNames(verdict.scope)}`
  return `${steps === 0 ? 'at the start' : `${number(steps)}-step trace`}, ${when}, ${setting}`
}

/** 'Key, Val and Id' */
function listed(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
}

/** ' (61 %, estimated)'; nothing when too little was explored to say. */
function share(part: number): string {
  const percent = Math.floor(part * 100)
  return percent < 1 ? '' : ` (${percent} %, estimated)`
}

/** 'n = 4, fifo, no faults', and the bounds that change what is verified. */
function settingWords(scope: Scope): string {
  const { network, maxSteps, deadlock } = scope
  const words = [...paramWords(scope.params), ...(network === undefined ? [] : [network]), ...faultWords(scope)]
  words.push(...liarWords(scope))
  if (maxSteps !== undefined && !isLengthBound(scope)) words.push(`at most ${counted(maxSteps, 'step')} per process`)
  if (scope.monitors === 'all') words.push('all monitors')
  if (typeof scope.values?.of === 'number') words.push(`${counted(scope.values.of, 'value')} in each class of many`)
  // Machines that wait for ever are none of a system's problems.
  if (deadlock === 'allow' && scope.isSystem !== true) words.push('deadlock allowed')
  return words.join(', ')
}

/** Up to which length executions were explored is said, and whether that is all. */
function isLengthBound({ engine }: Scope): boolean {
  return engine === 'symbolic'
}

/** 'b Byzantine: 6 messages, each to anyone at most once' */
function liarWords({ byzantine = [] }: Scope): readonly string[] {
  return byzantine.map(({ machine, messages }) => {
    const said = messages === 0 ? 'says nothing' : `${counted(messages, 'message')}, each to anyone at most once`
    return `${machine} Byzantine: ${said}`
  })
}

/** 'met: at most 3 paxos.add and 2 paxos.commit in one execution' */
function callsMet(verdict: Verdict): readonly string[] {
  const words = calledIn(verdict).map(({ operation, most }) => `${number(most)} ${operation}`)
  return words.length === 0 ? [] : [`met: at most ${listed(words)} in one execution`]
}

/** What Byzantine machines can do, and what counts of them. */
function restsOnSignatures({ byzantine = [] }: Scope): readonly string[] {
  if (byzantine.length === 0) return []
  const who = listed(byzantine.map(({ machine }) => machine))
  const [sees, signs] = byzantine.length === 1 ? ['sees', 'signs'] : ['see', 'sign']
  const first = `assumed: ${who} ${sees} all traffic and ${signs} for no machine that is not Byzantine`
  return [first, `not judged: the states of ${who}, and what would be announced there`]
}

/** What the author of actions has modelled goes wrong in what was explored, and nobody is to read that nothing does. */
function faultWords({ faults = {}, modelled = [] }: Scope): readonly string[] {
  const among = modelled.length === 0 ? [] : [`among the actions ${listed(modelled)}`]
  const { losses, ...others } = faults
  const bounded = losses === 'any' ? budgetOfFaults(others) : budgetOfFaults(faults)
  const words = [...(losses === 'any' ? ['loss'] : []), ...(bounded === undefined ? [] : [bounded])]
  return words.length + among.length === 0 ? ['no faults'] : [...words, ...among]
}

const faultNouns: { readonly [name in FaultName]: string } = {
  crashes: 'crash',
  restarts: 'restart',
  losses: 'lost message',
  duplicates: 'duplicated message',
  partitions: 'partition',
}

/** 'at most 1 crash and 2 lost messages'. */
function budgetOfFaults(budget: FaultBudget): string | undefined {
  const items = faultNames.flatMap((name) => {
    const most = mostOf(budget, name)
    return most === 0 ? [] : [counted(most, faultNouns[name])]
  })
  const last = items.pop()
  if (last === undefined) return undefined
  return `at most ${items.length === 0 ? last : `${items.join(', ')} and ${last}`}`
}

function paramWords(params: Params): readonly string[] {
  return Object.entries(params).map(([name, value]) => `${name} = ${showValue(value, 40)}`)
}

function allExecutions(verdict: Verdict): string {
  const { blocked = 0 } = verdict.counts
  const among = blocked === 0 ? '' : ` (${number(blocked)} blocked)`
  const isOnly = total(verdict) === 1
  return isOnly ? `the only ${nounOf(verdict)}${among}` : `all ${explored(verdict)}${among}`
}

/** '24 executions', '1,204 states of machines', '12 executions of shard 2 of 8'. */
function explored(verdict: Verdict): string {
  const { counted: what, shard } = verdict.scope
  const ofWhat = what.of === undefined ? '' : ` of ${what.of}`
  return `${counted(total(verdict), nounOf(verdict))}${ofWhat}${shard === undefined ? '' : ` of ${shardWords(shard)}`}`
}

/** A search that could have told states and did not has counted executions. */
function nounOf({ counts, scope }: Verdict): string {
  const { noun, names } = scope.counted
  return names.includes('executions') && counts.states === undefined ? 'execution' : noun
}

function total({ counts, scope }: Verdict): number {
  return exploredIn(counts, scope.counted)
}

function subject({ program }: Reported, { dash }: Glyphs): string {
  return `${program} ${dash} `
}

function facts({ file, verdict: { scope, counts } }: Reported): readonly string[] {
  const { engine } = scope
  const { executions = 0, blocked = 0, events = 0, longest = 0, states, transitions = 0 } = counts
  if (counts.bddNodes !== undefined) return [file, ...symbolicFacts(scope, counts)]
  if (states !== undefined)
    return [file, searchWords(scope), counted(states, 'state'), counted(transitions, 'transition')]
  const split = blocked > 0 ? [`${number(executions)} complete, ${number(blocked)} blocked`] : []
  return [file, engine, ...split, counted(events, 'event'), `longest ${counted(longest, 'step')}`]
}

/** 'symbolic, by states, order above, creations first · 30 steps · 134 handler runs · 1,204,331 nodes in 120 MB'; what is left out is said. */
function symbolicFacts({ engine, options = {} }: Scope, counts: Counts): readonly string[] {
  const { states, rounds, handlers = 0, bddNodes = 0, bddBytes = 0 } = counts
  const by = rounds !== undefined ? 'in rounds' : states === undefined ? 'step by step' : 'by states'
  const { order = 'auto', filter } = options
  const way = [engine, by, ...(order === 'auto' ? [] : [`order ${order}`])].join(', ')
  const filtered = filterWords[String(filter)] ?? ''
  // A part of one is one.
  const nodes = `${counted(bddNodes, 'node')} in ${number(Math.ceil(bddBytes / 1e6))} MB`
  return [`${way}${filtered}`, lengthWords(counts), counted(handlers, 'handler run'), nodes]
}

/** What is left out because something else stands for it, by the name of the filter. */
const filterWords: { readonly [filter: string]: string } = {
  creations: ', creations first',
  sole: ', sole messages first',
  sleep: ', with sleep sets',
  symmetry: ', up to names of machines',
}

/** 'stateful, safe reduction, depth first'; nothing beside the engine where it searched as it usually does. */
function searchWords(scope: Scope): string {
  const { engine, options = {} } = scope
  const reduced = options.reduction === 'safe' ? ', safe reduction' : ''
  const symmetric = upToNames(scope)
  const remembered = isByFingerprints(options) ? ', by fingerprints' : ''
  return `${engine}${reduced}${symmetric}${options.search === 'depth' ? ', depth first' : ''}${remembered}`
}

/** Where states that differ in names alone were counted once. */
function upToNames(scope: Scope): string {
  return scope.options?.symmetry === true ? `, up to names of ${alikeWords(scope)}` : ''
}

/** 'a1 to a3, and of ann and bob'; of parties, and of machines that others create, there are no names to tell. */
function alikeWords({ alike = [], isSystem }: Scope): string {
  if (alike.length > 0) return alike.map(rangeOf).join(', and of ')
  return isSystem === true ? 'parties' : 'machines'
}

/** 'a1 to a3', if names are numbered one after the other. */
function rangeOf(names: readonly string[]): string {
  const [start = '', first = ''] = /^(.*?)(\d+)$/.exec(names[0] ?? '')?.slice(1) ?? []
  const isRange = first !== '' && names.every((name, at) => name === `${start}${Number(first) + at}`)
  return isRange && names.length > 2 ? `${names[0]} to ${names.at(-1)}` : listed(names)
}

/** Machines that are declared as alike are compared in all that they do, and parties in some states. */
function restsOnParties({ alike, isSystem, options }: Scope): readonly string[] {
  return isSystem === true && alike === undefined && options?.symmetry === true ? [restsOnSymmetry] : []
}

function isByFingerprints(options: Scope['options']): boolean {
  return options?.remember === 'fingerprints'
}

/** If fingerprints were random, each two of n states would have the same one of 64 bits with a probability of 1 in 2⁶⁴. */
function collisions({ options }: Scope, { states = 0 }: Counts): readonly string[] {
  if (!isByFingerprints(options)) return []
  const most = (states ** 2 / 2 ** 65).toExponential(0)
  return [`states by 64-bit fingerprints: two were taken for one with a probability of at most ${most}`]
}

const ordersOfMachines = 'every order in which messages are delivered, timers fire and requests come, every choice'
const restsOnSymmetry = 'assumed: which party is which makes no difference, as it was tried in some of the states'
const ordersOfProcesses = 'every order in which messages can be received, every empty poll, every choice'

/** Of P programs: what a step is, and where the borders of the claim are. */
function ordersOfHandlers({ handlers, network }: Scope): readonly string[] {
  const isAtomic = handlers === 'atomic'
  return [
    `covered: ${isAtomic ? 'every order in which messages arrive' : 'every interleaving of handlers at their sends'} (${network}), every choice`,
    `${isAtomic ? 'each handler runs as a whole' : 'handlers run from send to send'}; whole numbers are exact`,
  ]
}

function callsAllowed({ refines = [] }: Scope): readonly string[] {
  return refines.length === 0 ? [] : [`refined: ${listed(refines)}, whose calls are allowed in every execution`]
}

/** Budgets of none are no faults. */
function faultsCovered({ faults }: Scope): string {
  return faultNames.some((name) => mostOf(faults ?? {}, name) > 0) ? ', every fault' : ''
}

/** Executions that do not end: which of them count, or that none was looked at. */
function endlessWords({
  kind,
  counts,
  scope: { endless, fairChoices, maxSteps, options, handlers },
}: Verdict): readonly string[] {
  if (endless === undefined) return []
  if (endless === 'unseen') {
    if (options?.reduction === 'safe' || options?.search === 'depth' || options?.symmetry === true)
      return ['not judged: executions without end; without --reduction, --search and --symmetry they are']
    // Where all executions were followed to their ends there is none without; a search by states follows none.
    const isByStates = counts.bddNodes !== undefined && counts.states !== undefined
    if ((kind === 'verified' || kind === 'proved') && !isByStates && maxSteps === undefined) return []
    return ['not judged: executions without end; --engine stateful judges those that come round']
  }
  if (handlers === undefined) {
    const choices = fairChoices === true ? ', and each option of a fair choice ($$) that is made again and again' : ''
    return [`fairness assumed: what stays possible happens some time${choices}`]
  }
  return [
    'fairness assumed: each machine that can go on does so some time, and each message is delivered',
    fairChoices === true
      ? 'and each option of a fair choice ($$) that is made again and again; other choices are not fair'
      : 'choices are not fair: one option may be taken for ever',
  ]
}

/** Of P programs, whose searches are not resumed. */
function goingOn({ handlers, network }: Scope, because: BudgetName | undefined): readonly string[] {
  if (handlers === undefined) return []
  const option = because === 'steps' ? 'max-steps' : because
  const budget = option === undefined || option === 'interrupt' ? [] : [`a larger --${option}`]
  const fewer = network === 'sender-queue' ? [] : ['--network sender-queue, which often has fewer states']
  const ways = [...budget, 'fewer machines in the test', ...fewer, 'allways fuzz, which samples long executions']
  return [`to go on: ${ways.join('; ')}`, 'met so far: --coverage lists states and events']
}

function coverage(verdict: Verdict): readonly string[] {
  switch (verdict.kind) {
    case 'proved':
    case 'verified':
      if (verdict.scope.handlers !== undefined)
        return [
          ...ordersOfHandlers(verdict.scope),
          ...collisions(verdict.scope, verdict.counts),
          ...callsAllowed(verdict.scope),
          ...endlessWords(verdict),
        ]
      return [
        `covered: ${verdict.scope.isSystem === true ? ordersOfMachines : ordersOfProcesses}${faultsCovered(verdict.scope)}`,
        ...callsMet(verdict),
        ...restsOnSignatures(verdict.scope),
        ...restsOnParties(verdict.scope),
        ...endlessWords(verdict),
      ]
    case 'passed':
      if (verdict.scope.shard !== undefined)
        return ['the rest of the search is in the other shards; allways merge gives the verdict of the whole']
      if (verdict.scope.isReplay === true) return ['the violation that was recorded does not come about any more']
      return ['other executions may still fail; allways check explores all of them', ...endlessWords(verdict)]
    case 'incomplete': {
      if (evidenceOf(verdict.evidence, 'suspected').length > 0) return []
      const { because, remaining } = verdict
      const unsaved =
        because === undefined || because === 'steps' ? '' : '; what is left is not saved, and the next run starts again'
      const explored = `not everything was explored${remaining.length === 0 ? unsaved : ''}`
      return [explored, ...goingOn(verdict.scope, because), ...endlessWords(verdict)]
    }
    default:
      return []
  }
}
