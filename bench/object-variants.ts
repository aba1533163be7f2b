/** Searches that see everything: how much each variant explores, how long it takes and what it holds. */
import type { StatefulSetting } from '../test/stateful-setting.ts'
import { table, thousands } from './measure.ts'
import { requestOf, type Sampled, sample, structures } from './object-clients.ts'
import { search, type Took } from './object-search.ts'
import { geometricMean, quantileTable } from './quantiles.ts'

const usual = { stateless: false, order: 'sequential', static: true } as const
const variants: readonly (readonly [name: string, setting: StatefulSetting])[] = [
  ['full', { ...usual, reduction: 'none' }],
  ['safe', { ...usual, reduction: 'safe' }],
  ['eager', { ...usual, reduction: 'eager' }],
  ['lazy', { ...usual, reduction: 'lazy' }],
  ['eager, no safe sets', { ...usual, reduction: 'eager', static: false }],
  ['lazy, no safe sets', { ...usual, reduction: 'lazy', static: false }],
]

const mostTransitions = 400_000
const clientsPerStructure = 10
/** The shorter a search, the more of its time is noise, and the more often it is repeated. */
const shortSeconds = 0.2
const longSeconds = 1

/** Below, what a search holds cannot be told from what the run time does besides. */
const leastKilobytes = 64
const enoughKilobytes = 1024

interface Measured {
  readonly sampled: Sampled
  readonly byVariant: Map<string, Took>
}

/** What is wrong, if anything. */
export async function compareVariants(isQuick: boolean): Promise<readonly string[]> {
  const measured: Measured[] = []
  for (const [at, structure] of structures.entries()) {
    const request = await requestOf(structure.entry, structure.exported)
    const clients = sample(structure, isQuick ? 1 : clientsPerStructure, at + 1)
    warmUp(clients[0] as Sampled, request)
    for (const sampled of clients) {
      const byVariant = new Map<string, Took>()
      for (const [name, setting] of variants) byVariant.set(name, took(sampled, request, setting))
      measured.push({ sampled, byVariant })
    }
  }
  await measureMemory(measured)
  print(measured)
  return [...disagreements(measured), ...missedTargets(measured)]
}

type Request = Awaited<ReturnType<typeof requestOf>>

/** Compiles the class and the variants. */
function warmUp({ client }: Sampled, request: Request): void {
  for (const [, setting] of variants) search(request, client, setting, { mostTransitions: 20_000 })
}

function took({ client }: Sampled, request: Request, setting: StatefulSetting): Took {
  const first = search(request, client, setting, { mostTransitions })
  const times = [first.cpuSeconds]
  const repetitions = !first.ended || first.cpuSeconds > longSeconds ? 0 : first.cpuSeconds > shortSeconds ? 1 : 4
  for (let again = 0; again < repetitions; again++)
    times.push(search(request, client, setting, { mostTransitions }).cpuSeconds)
  return { ...first, cpuSeconds: Math.min(...times) }
}

/** Afterwards: to see what is held garbage has to be collected, and that throws away compiled code as well. */
async function measureMemory(measured: readonly Measured[]): Promise<void> {
  for (const { sampled, byVariant } of measured) {
    const request = await requestOf(sampled.structure.entry, sampled.structure.exported)
    for (const [name, setting] of variants) {
      const before = byVariant.get(name) as Took
      if (!before.ended) continue
      const { bytes } = search(request, sampled.client, setting, { mostTransitions, measuresMemory: true })
      byVariant.set(name, { ...before, bytes })
    }
  }
}

function print(measured: readonly Measured[]): void {
  const of = (name: string, value: (took: Took) => number): readonly number[] =>
    endedBy(measured, name).map((one) => value(one.byVariant.get(name) as Took))
  const rows = (value: (took: Took) => number) =>
    variants.map(([name]) => [`${name} (${of(name, value).length})`, of(name, value)] as const)
  const ratios = (of: readonly Measured[], value: (took: Took) => number) =>
    variants.slice(1).map(([name]) => [name, ratiosOf(of, name, value)] as const)
  const mean = { name: 'geo. mean', of: geometricMean }
  const times = (value: number) => `${value.toFixed(2)} x`
  console.log(`${measured.length} clients of ${structures.length} structures; a search is given up after`)
  console.log(`${thousands(mostTransitions)} transitions; in brackets, how many clients each variant finished\n`)
  console.log(byStructure(measured))
  console.log(`\n${quantileTable('states', rows(statesOf), thousands)}`)
  console.log(`\n${quantileTable('transitions', rows(transitionsOf), thousands)}`)
  console.log(`\n${quantileTable('CPU ms', rows(millisecondsOf), (value) => value.toFixed(1))}`)
  console.log(`\n${quantileTable('memory KB', rows(kilobytesOf), thousands)}`)
  console.log('\nHow many times less than the full search, client by client:')
  for (const [title, value] of [
    ['states', statesOf],
    ['transitions', transitionsOf],
    ['CPU time', millisecondsOf],
  ] as const)
    console.log(`\n${quantileTable(title, ratios(measured, value), times, mean)}`)
  const large = measured.filter(({ byVariant }) => kilobytesOf(byVariant.get('full') as Took) >= enoughKilobytes)
  console.log(`\n${quantileTable(`memory (${large.length})`, ratios(large, kilobytesOf), times, mean)}`)
  console.log(`\n${slowest(measured)}`)
}

const statesOf = ({ states }: Took): number => states
const transitionsOf = ({ transitions }: Took): number => transitions
const millisecondsOf = ({ cpuSeconds }: Took): number => 1000 * cpuSeconds
const kilobytesOf = ({ bytes }: Took): number => Math.max(leastKilobytes, bytes / 1024)

function endedBy(measured: readonly Measured[], name: string): readonly Measured[] {
  return measured.filter(({ byVariant }) => byVariant.get(name)?.ended === true)
}

/** Full search divided by variant, for clients that both finished. */
function ratiosOf(measured: readonly Measured[], name: string, value: (took: Took) => number): readonly number[] {
  return endedBy(endedBy(measured, 'full'), name).map(
    ({ byVariant }) => value(byVariant.get('full') as Took) / value(byVariant.get(name) as Took),
  )
}

function byStructure(measured: readonly Measured[]): string {
  const rows = structures.map((structure) => {
    const own = measured.filter(({ sampled }) => sampled.structure === structure)
    const means = ['safe', 'eager', 'lazy'].map((name) => {
      const ratios = ratiosOf(own, name, transitionsOf)
      return ratios.length === 0 ? '–' : `${geometricMean(ratios).toFixed(2)} x`
    })
    const largest = Math.max(0, ...endedBy(own, 'full').map((one) => transitionsOf(one.byVariant.get('full') as Took)))
    return [structure.entry, `${endedBy(own, 'full').length} of ${own.length}`, thousands(largest), ...means]
  })
  return table(['transitions saved', 'full ended', 'largest', 'safe', 'eager', 'lazy'], rows)
}

function slowest(measured: readonly Measured[]): string {
  const rows = variants.slice(1).map(([name]) => {
    const [worst] = endedBy(endedBy(measured, 'full'), name)
      .map(({ sampled, byVariant }) => {
        const [full, variant] = [byVariant.get('full') as Took, byVariant.get(name) as Took]
        return { sampled, full, variant, ratio: variant.cpuSeconds / full.cpuSeconds }
      })
      .sort((left, right) => right.ratio - left.ratio)
    if (worst === undefined) return [name, '–']
    const { ratio, sampled, full, variant } = worst
    const milliseconds = `${(1000 * variant.cpuSeconds).toFixed(1)} and ${(1000 * full.cpuSeconds).toFixed(1)} ms`
    return [name, `${ratio.toFixed(2)} x`, milliseconds, `${sampled.structure.entry} ${sampled.text}`]
  })
  return table(['slowest against full', 'CPU time', 'variant and full', 'client'], rows)
}

function disagreements(measured: readonly Measured[]): readonly string[] {
  return measured.flatMap(({ sampled, byVariant }) => {
    const found = new Set([...byVariant.values()].filter(({ ended }) => ended).map(({ outcomes }) => outcomes))
    return found.size > 1 ? [`variants find different outcomes: ${sampled.structure.entry} ${sampled.text}`] : []
  })
}

/** Counts do not depend on the machine. */
function missedTargets(measured: readonly Measured[]): readonly string[] {
  return (
    [
      ['safe', 2],
      ['lazy', 5],
    ] as const
  ).flatMap(([name, target]) => {
    const mean = geometricMean(ratiosOf(measured, name, transitionsOf))
    return mean >= target ? [] : [`${name} saves ${mean.toFixed(2)} x the transitions, not ${target} x`]
  })
}
