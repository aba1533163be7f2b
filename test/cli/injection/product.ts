/**
 * Every text of a genuine file with every payload, in every form that a command prints. Those that are accepted are planted all at
 * once, each with another payload; a file that is refused is halved until it is known which of its texts are the reason. These are
 * planted one at a time from then on, as what is told of one would hide the others, and with a quarter of the payloads unless it is a soak.
 */
import { amount, isSlow } from '../../amount.ts'
import type { Ran } from '../harness.ts'
import { payloads } from './payloads.ts'
import { fieldsOf, type Json, keysOf, namesOf, type Text } from './planting.ts'
import { textsIn } from './reading.ts'

export interface Form {
  readonly run: () => Promise<Ran>
  readonly faults: (ran: Ran) => readonly string[]
  /** Texts of the report, if it is one that is compared. */
  readonly report?: (ran: Ran) => unknown
}

export interface Genuine {
  readonly content: Json
  readonly write: (content: Json) => void
  /** The first has a report. A file with one text planted is tried in one of them, each in turn; a soak tries them all. */
  readonly forms: readonly Form[]
  /** Places of a report in which a text of the file is not meant to stand as it is. */
  readonly concluded?: RegExp
  /** Payloads for each text, 60 unless told; a soak has them all. */
  readonly rounds?: number
}

export interface Product {
  readonly faults: readonly string[]
  readonly texts: number
  /** Of the files with one text planted or with several. */
  readonly accepted: number
  readonly refused: number
}

interface Planted {
  readonly text: Text
  readonly payload: string
}

/** With how many payloads each text is planted. */
export function roundsOf({ rounds = 60 }: Genuine): number {
  return amount({ quick: Math.ceil(rounds / 20), rest: Math.ceil(rounds / 6), thorough: rounds, all: payloads.length })
}

/** The payloads of a text: of two neighbours, one has those that the other has not. */
export function payloadOf(at: number, round: number, rounds: number): string {
  const step = payloads.length / rounds
  return payloads[Math.floor((round + at * 5) * step + (at % Math.ceil(step))) % payloads.length] as string
}

export async function product(genuine: Genuine): Promise<Product> {
  const rounds = roundsOf(genuine)
  const groups = [fieldsOf, namesOf, keysOf].map((textsOf) => textsOf(genuine.content))
  const planting = new Planting(genuine)
  await planting.begin()
  for (const texts of groups)
    for (let round = 0; round < rounds; round++)
      await planting.round(texts.map((text, at) => ({ text, payload: payloadOf(at, round, rounds) })))
  const { faults, accepted, refused } = planting
  return { faults, accepted, refused, texts: groups.flat().length }
}

class Planting {
  readonly #genuine: Genuine
  readonly faults: string[] = []
  accepted = 0
  refused = 0
  /** Texts with which the file was refused when they were last planted. */
  readonly #unfit = new Set<Text>()
  #rounds = 0
  #singles = 0
  /** What the genuine file's report says, by where. */
  #said: readonly (readonly [path: string, text: string])[] = []

  constructor(genuine: Genuine) {
    this.#genuine = genuine
  }

  /** The genuine file is accepted, and nothing is found in what is said of it. */
  async begin(): Promise<void> {
    const { concluded } = this.#genuine
    const reports = await this.#tried([])
    if (this.refused > 0) this.faults.push('the genuine file is refused')
    this.#said = reports.flatMap((report) => [...textsIn(report)]).filter(([path]) => concluded?.test(path) !== true)
  }

  async round(planted: readonly Planted[]): Promise<void> {
    const unfit = planted.filter(({ text }, at) => this.#unfit.has(text) && (isSlow || (at + this.#rounds) % 4 === 0))
    this.#rounds++
    await this.#halved(planted.filter(({ text }) => !this.#unfit.has(text)))
    for (const one of unfit) await this.#halved([one])
  }

  async #halved(planted: readonly Planted[]): Promise<void> {
    if (planted.length === 0) return
    const before = this.refused
    const reports = await this.#tried(planted)
    const isRefused = this.refused > before
    const [first] = planted
    if (planted.length === 1 && first !== undefined) this.#unfit[isRefused ? 'add' : 'delete'](first.text)
    if (!isRefused) return this.#compared(planted, reports)
    if (planted.length === 1) return
    const middle = planted.length >> 1
    await this.#halved(planted.slice(0, middle))
    await this.#halved(planted.slice(middle))
  }

  /** The reports, in order of the forms. */
  async #tried(planted: readonly Planted[]): Promise<readonly unknown[]> {
    const { content, write, forms } = this.#genuine
    write(planted.reduce((whole, { text, payload }) => text.plant(whole, payload), content))
    const isSingle = planted.length === 1 && !isSlow
    const tried = isSingle ? [forms[this.#singles++ % forms.length] as Form] : forms
    const printed = []
    for (const form of tried) printed.push(await this.#printed(form, planted))
    const isRefused = printed.some((one) => one.isRefused)
    this[isRefused ? 'refused' : 'accepted']++
    if (printed.some((one) => one.isRefused !== isRefused))
      this.faults.push(`${whatOf(planted)}: refused in some forms and not in others`)
    return printed.flatMap(({ reports }) => reports)
  }

  async #printed({ run, faults, report }: Form, planted: readonly Planted[]) {
    const ran = await run()
    const found = [...faults(ran), ...(ran.code > 3 ? [`exit status ${ran.code}`] : [])]
    this.faults.push(...found.map((fault) => `${whatOf(planted)}: ${fault}`))
    return { isRefused: ran.code === 2, reports: found.length > 0 || report === undefined ? [] : [report(ran)] }
  }

  /** Where the genuine report has exactly the text, the other has exactly the payload. */
  #compared(planted: readonly Planted[], reports: readonly unknown[]): void {
    const after = new Map(reports.flatMap((report) => [...textsIn(report)]))
    for (const { text, payload } of after.size === 0 ? [] : planted)
      for (const [path, said] of text.isEverywhere && payload !== '' ? this.#said : [])
        if (said === text.said && after.has(path) && after.get(path) !== payload)
          this.faults.push(`${path} is ${JSON.stringify(after.get(path))} and not ${JSON.stringify(payload)}`)
  }
}

function whatOf(planted: readonly Planted[]): string {
  const [first] = planted
  if (first === undefined) return 'genuine'
  return planted.length > 1 ? 'several' : `${first.text.name} ${JSON.stringify(first.payload.slice(0, 99))}`
}
