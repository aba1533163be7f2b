/** What the runtime is told about a module: its functions with their loops, the sites of operations, assigned properties. */
import type { ParsedSource } from '../parse.ts'

export class ModuleTable {
  /** Offsets at which lines begin in what the user wrote, ascending: lines are found by bisection. */
  readonly #starts: readonly number[]
  readonly #written: ParsedSource['written']
  readonly #functions: { readonly name: string; readonly lines: Lines; readonly loops: Lines[] }[] = []
  /** As code. Numbers of sites are written into the rewritten source, so a site is never removed. */
  readonly #sites: string[] = []

  constructor({ text, written }: ParsedSource) {
    this.#written = written
    const starts = [0]
    for (const match of (written?.before ?? text).matchAll(/\r\n|[\n\r\u2028\u2029]/g))
      starts.push(match.index + match[0].length)
    this.#starts = starts
  }

  /** The number of a new function. */
  function(name: string, place: { readonly start: number; readonly end: number }): number {
    this.#functions.push({ name, lines: this.#lines(place), loops: [] })
    return this.#functions.length - 1
  }

  nameOf(index: number): string {
    return this.#functions[index]?.name ?? ''
  }

  loop(index: number, body: { readonly start: number; readonly end: number }): void {
    this.#functions[index]?.loops.push(this.#lines(body))
  }

  /** The number of a new site. */
  site(index: number, offset: number): number {
    const line = this.#line(offset)
    const at = this.#before(offset)
    this.#sites.push(`[${index}, ${line}, ${at - (this.#starts[line - 1] ?? 0) + 1}]`)
    return this.#sites.length - 1
  }

  functionsCode(): string {
    const list = this.#functions.map(
      ({ name, lines, loops }) => `[${JSON.stringify(name)}, ${lines.join(', ')}, ${JSON.stringify(loops)}]`,
    )
    return `[${list.join(', ')}]`
  }

  sitesCode(): string {
    return `[${this.#sites.join(', ')}]`
  }

  #lines({ start, end }: { readonly start: number; readonly end: number }): Lines {
    return [this.#line(start), this.#line(Math.max(start, end - 1))]
  }

  #before(offset: number): number {
    return this.#written?.offsetBefore(offset) ?? offset
  }

  #line(offset: number): number {
    const at = this.#before(offset)
    let low = 0
    let high = this.#starts.length
    while (high - low > 1) {
      const middle = (low + high) >> 1
      if ((this.#starts[middle] ?? 0) <= at) low = middle
      else high = middle
    }
    return low + 1
  }
}

type Lines = readonly [first: number, last: number]
