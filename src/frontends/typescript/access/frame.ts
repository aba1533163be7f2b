/** One function while it is rewritten: its temporaries, its control flow, and where its jumps lead. */
import type { Binding, Region } from './bindings.ts'
import { Flow, type Variable } from './flow.ts'
import { Jumps } from './jumps.ts'
import type { Names } from './names.ts'
import { Late } from './output.ts'

export interface FrameOptions {
  /** `plain` runs in one go: nothing in it suspends. */
  readonly kind: 'generator' | 'plain'
  readonly region: Region
  /** Its number in the module's table. */
  readonly index: number
  readonly isAsync: boolean
  readonly isGenerator?: boolean
  readonly names: Names
}

export class Frame {
  readonly kind: 'generator' | 'plain'
  readonly region: Region
  readonly index: number
  readonly isAsync: boolean
  readonly isGenerator: boolean
  readonly flow = new Flow()
  readonly jumps = new Jumps(this.flow)
  /** What `this` is called inside. */
  readonly self: Variable
  /** Declares all temporaries; known when the frame is complete. */
  readonly declarations = new Late()
  readonly #names: Names
  /** Made as they are needed; the first `#used` hold values of the present statement. */
  readonly #temporaries: Variable[] = []
  readonly #kept: Variable[] = []
  /** One for each binding: the flow tells variables apart by identity. */
  readonly #variables = new Map<Binding, Variable>()
  #used = 0
  #dummies = 0

  constructor({ kind, region, index, isAsync, isGenerator = false, names }: FrameOptions) {
    this.kind = kind
    this.region = region
    this.index = index
    this.isAsync = isAsync
    this.isGenerator = isGenerator
    this.#names = names
    this.self = { code: region.kind === 'arrow' ? names.self : 'this', rank: -1, binding: undefined }
  }

  /** All temporaries are free again: a statement ends without leaving values behind. */
  nextStatement(): void {
    this.#used = 0
  }

  /** Ranks order lists of live values: `this`, variables by their place in the source, kept variables, temporaries. */
  temporary(): Variable {
    const number = this.#used++
    const known = this.#temporaries[number]
    if (known !== undefined) return known
    const created = { code: this.#names.temporary(number + 1), rank: 2e9 + number, binding: undefined }
    this.#temporaries.push(created)
    return created
  }

  /** A variable that outlives its statement. */
  kept(purpose: string): Variable {
    const created = this.parameter(this.#names.kept(purpose, this.#kept.length + 1))
    this.#kept.push(created)
    return created
  }

  /** A variable that is declared elsewhere. */
  parameter(code: string): Variable {
    return { code, rank: 1e9 + this.#kept.length, binding: undefined }
  }

  /** A name for a declaration whose value is not used. */
  dummy(): string {
    return this.#names.kept('d', ++this.#dummies)
  }

  /** Of a boxed variable, the one that holds the box. */
  variable(binding: Binding): Variable {
    const known = this.#variables.get(binding)
    if (known !== undefined) return known
    const created = { code: this.codeOf(binding), rank: binding.offset, binding }
    this.#variables.set(binding, created)
    return created
  }

  codeOf({ name, kind, isBoxed, hides }: Binding): string {
    if (kind === 'arguments') return this.#names.arguments
    const known = hides === 0 ? name : this.#names.renamed(name, hides)
    return isBoxed ? this.#names.box(known) : known
  }

  isVisible({ binding }: Variable, offset: number): boolean {
    return binding === undefined || binding.scope.region !== this.region || binding.isVisibleAt(offset)
  }

  /** Everything of the function has been read. */
  finish(): void {
    this.flow.solve()
    const names = [...this.#temporaries, ...this.#kept].map(({ code }) => code)
    this.declarations.text = names.length === 0 ? '' : ` let ${names.join(', ')};`
  }

  get needsTemporaries(): boolean {
    return this.#temporaries.length + this.#kept.length > 0
  }
}
