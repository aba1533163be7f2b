/** What happened, derived by replay from decisions: what people read and reports draw. Engines never store these. */
import type { Place } from './diagnostic.ts'
import type { CodeStep } from './evidence.ts'
import type { NetworkName } from './operation.ts'
import type { Violation } from './property.ts'
import type { Value } from './value.ts'

interface EventBase {
  /** The process, by id. */
  readonly process: string
  /** Position in its process, counted from 0; (process, index) names the event in every interleaving. */
  readonly index: number
  /** JavaScript stack of the operation, when replay captured it; the host turns it into a place in the user's file. */
  readonly stack?: string | undefined
  /** Where it is known without a stack. */
  readonly place?: Place | undefined
}

export type Event =
  | (EventBase & { readonly kind: 'spawn'; readonly child: string; readonly daemon: boolean })
  | (EventBase & { readonly kind: 'join'; readonly target: string })
  | (EventBase & {
      readonly kind: 'send'
      /** Messages are numbered in sending order from 0. */
      readonly message: number
      readonly to: string
      readonly value: Value
      readonly network: NetworkName
      /** A monitor is told something; reports leave it out. */
      readonly notification: boolean
      /** What a fault made of the message; both copies of one that was duplicated are sent. */
      readonly fate?: 'lost' | 'duplicated' | 'copy' | undefined
    })
  | (EventBase & { readonly kind: 'receive'; readonly message: number; readonly from: string; readonly value: Value })
  | (EventBase & {
      readonly kind: 'timeout'
      /** What a machine does instead of receiving: a timer, a request, a crash. */
      readonly instead?: Value
    })
  | (EventBase & {
      readonly kind: 'choose'
      readonly option: number
      readonly options: number
      readonly value: Value
      /** There is nothing to choose: a call of an abstract object is announced. */
      readonly isCall?: boolean | undefined
    })
  | (EventBase & { readonly kind: 'crash'; readonly restarts: boolean })
  /** The network separates the process from all others, or no longer. */
  | (EventBase & { readonly kind: 'partition' | 'heal' })
  | (EventBase & {
      readonly kind: 'stop'
      /** By its own will, and not because something stops it. */
      readonly halts?: boolean | undefined
    })
  | (EventBase & { readonly kind: 'fail'; readonly violation: Violation })
  /** Of a client: it makes a call, accesses shared state in it, or returns from it. */
  | (EventBase & CodeStep)
  /** A machine or a monitor is in another state, or in the same one anew. */
  | (EventBase & { readonly kind: 'enter'; readonly state: string })
  /** Somebody tells monitors something, and nobody else. */
  | (EventBase & { readonly kind: 'announce'; readonly value: Value; readonly isCall?: boolean | undefined })
  /** A monitor is told at once what somebody sends or announces. */
  | (EventBase & { readonly kind: 'observe'; readonly from: string; readonly value: Value })
  | (EventBase & { readonly kind: 'print'; readonly text: string })

/** What is told between steps: nobody decides about it, and it has no number. */
const unnumbered: ReadonlySet<Event['kind']> = new Set(['fail', 'stop', 'enter', 'announce', 'observe', 'print'])

/** Whether an event is a step, which has a number; the others are part of the step before them. */
export function isStep({ kind }: Event): boolean {
  return !unnumbered.has(kind)
}
