/**
 * What comes of a violation that is known, such as its causes, is looked for in other executions, which may come to something that cannot
 * be checked. The violation is true all the same, and must not be lost.
 */
import { type Diagnostic, DiagnosticError } from '../core/diagnostic.ts'
import type { Stumble } from '../core/verdict.ts'

/** Whether it says something of the violation as well: what was changed for everybody, as built-ins, may have made it. */
export function isAboutAll(thrown: unknown): boolean {
  return thrown instanceof DiagnosticError && thrown.diagnostic.code === 'E114'
}

export class Stumbles {
  #first: Stumble | undefined
  readonly #located: (diagnostic: Diagnostic) => Promise<Diagnostic>
  /** What was thrown may be kept for whoever looks next. */
  readonly #forget: () => void

  constructor(located: (diagnostic: Diagnostic) => Promise<Diagnostic>, forget: () => void) {
    this.#located = located
    this.#forget = forget
  }

  get first(): Stumble | undefined {
    return this.#first
  }

  /** What the work comes to, or something else if it stumbles. */
  async unless<Answer>(during: Stumble['during'], work: () => Promise<Answer>, otherwise: Answer): Promise<Answer> {
    try {
      return await work()
    } catch (thrown) {
      if (isAboutAll(thrown)) throw thrown
      await this.note(during, thrown)
      return otherwise
    }
  }

  async note(during: Stumble['during'], thrown: unknown): Promise<void> {
    this.#forget()
    this.#first ??= { ...(await this.#told(thrown)), during }
  }

  async #told(thrown: unknown): Promise<Omit<Stumble, 'during'>> {
    if (!(thrown instanceof DiagnosticError)) {
      const words = thrown instanceof Error ? thrown.message : String(thrown)
      return { message: `internal error: ${words}`, hint: 'this is a defect of allways: please report it' }
    }
    const { code, message, hint, place, frame } = await this.#located(thrown.diagnostic)
    return { code, message, hint, place, frame }
  }
}
