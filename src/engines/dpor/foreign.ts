/** Work units come from files and other machines: what is said of one that is not of this program. */
import type { Diagnostic } from '../../core/diagnostic.ts'

export function foreign(why: string): Diagnostic {
  return {
    code: 'E405',
    message: `a saved work unit does not fit this program: ${why}`,
    hint: 'the program has changed since the search was saved, or the file is damaged: start the search again',
  }
}
