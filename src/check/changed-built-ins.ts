/** Code of the user's that changes what belongs to the language: noticed where nobody else runs, refused, and put back. */
import { type Diagnostic, DiagnosticError, type Place } from '../core/diagnostic.ts'
import type { Host } from '../distribute/driver.ts'
import { type BuiltIns, builtIns } from './built-ins.ts'
import { codeFrame, loadedFiles, sourceLines } from './source-places.ts'

/** `who` says whose code it was, and that it changes something; `files` are those that it may stand in. */
export function changesBuiltIns(who: string, changed: readonly string[], files: readonly string[]): Diagnostic {
  const named = changed.length > 3 ? [...changed.slice(0, 3), `${changed.length - 3} more`] : changed
  const place = whereChanged(changed[0] ?? '', files)
  return {
    code: 'E114',
    place,
    frame: place === undefined ? undefined : codeFrame(place),
    message: `${who} what belongs to the language: ${named.join(', ')}`,
    hint: 'write a function of your own: files and allways itself share these objects, and verdicts would depend on the change',
  }
}

/** The line that looks most like the change: nobody was there when it was made. */
function whereChanged(changed: string, files: readonly string[]): Place | undefined {
  const owner = changed.split(/[.[]/)[0] ?? ''
  const key = /[^.[\]]+(?=\]?$)/.exec(changed)?.[0] ?? ''
  const path = changed.replaceAll(/[.[\]]/g, '\\$&')
  const word = key.replaceAll(/[^\w$]/g, '\\$&')
  const signs = [
    new RegExp(`${path}\\s*=(?![=>])`),
    new RegExp(`[.\\]'"]${word}['"\\]]*\\s*=(?![=>])`),
    new RegExp(`\\b${owner}\\b.*\\b${word}\\b`),
  ]
  for (const sign of signs) {
    const found = files.flatMap((file) =>
      (sourceLines(file) ?? []).flatMap((line, at) =>
        sign.test(line) ? [{ file, line: at + 1, column: line.search(sign) + 1 }] : [],
      ),
    )
    if (found.length > 0) return found[0]
  }
  return undefined
}

/**
 * While a check runs. Whoever else runs while it waits may change what he likes: what counts is what has changed when the check begins to
 * wait, or is over.
 */
export class KeptBuiltIns {
  readonly #who: string
  /** The file to begin with: what is called may stand in any. */
  readonly #declaredIn: string | undefined
  #before: BuiltIns = builtIns({ withGlobals: false })

  constructor(who: string, declaredIn: string | undefined) {
    this.#who = who
    this.#declaredIn = declaredIn
  }

  /** The host, for a check that waits by it. */
  hosting(host: Host): Host {
    return {
      ...host,
      pause: async () => {
        this.look()
        await host.pause()
        if (this.#before.isChanged()) this.#before = builtIns({ withGlobals: false })
      },
    }
  }

  /** Puts back what has changed; it is told before everything else, which may come of it. */
  look(): void {
    const changed = this.#before.putBack()
    if (changed.length > 0) throw new DiagnosticError(changesBuiltIns(`${this.#who} changes`, changed, this.#files()))
  }

  #files(): readonly string[] {
    const others = loadedFiles().filter((file) => file !== this.#declaredIn)
    return this.#declaredIn === undefined ? others : [this.#declaredIn, ...others]
  }
}

/** Whatever goes wrong where the language is another one: the change is told. */
export function causedBy(kept: KeptBuiltIns, thrown: unknown): unknown {
  try {
    kept.look()
    return thrown
  } catch (error) {
    return error
  }
}
