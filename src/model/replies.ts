/**
 * Replies of servers, such as shared objects, to their clients. They come to the client's own inbox, marked so that no message of a
 * user's can be taken for one. Activities of an async process may ask at once: each question has a number, and its reply bears it. What
 * was asked before a crash is answered to nobody: replies bear the life of the process as well.
 */
import type { LibraryFilter } from '../core/operation.ts'
import { type AsyncHost, running } from '../core/running.ts'
import { Address } from '../core/value.ts'

/** An address that no process can have and no user can get hold of. */
export type Mark = Address<never>

/** What takes the reply to one question. */
export class ReplyFilter implements LibraryFilter {
  readonly waitsFor: string
  readonly mark: Mark
  readonly takesTime: boolean

  constructor(waitsFor: string, mark: Mark, takesTime = false) {
    this.waitsFor = waitsFor
    this.mark = mark
    this.takesTime = takesTime
  }

  takes(message: unknown): boolean {
    return markOf(message) === this.mark
  }
}

export function isReply(message: unknown): boolean {
  return markOf(message) !== undefined
}

function markOf(message: unknown): Mark | undefined {
  const mark = typeof message === 'object' && message !== null ? (message as { reply?: unknown }).reply : undefined
  return mark instanceof Address && mark.id.startsWith('#') ? mark : undefined
}

/** Numbers of questions that wait for their replies, by the process that asks. */
const waiting = new WeakMap<AsyncHost, Set<number>>()

/** A mark that no other question of the process bears, and what gives it back. A generator asks one question at a time. */
export function freeMark(): { readonly reply: Mark; readonly release: () => void } {
  const host = running.async
  const life = running.connections?.life ?? 0
  if (host === undefined) return { reply: marked(0, life), release: () => undefined }
  const taken = waiting.get(host) ?? new Set()
  waiting.set(host, taken)
  let number = 0
  while (taken.has(number)) number++
  taken.add(number)
  return { reply: marked(number, life), release: () => taken.delete(number) }
}

function marked(number: number, life: number): Mark {
  return Address.of(`#${number === 0 ? '' : number}${life === 0 ? '' : `'${life}`}`)
}

/** What nearly all questions bear: it is left out of them. */
export const firstMark = marked(0, 0)
