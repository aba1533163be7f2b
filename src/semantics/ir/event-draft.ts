/** Events before they are numbered: how many a process has had is a matter of the path. */
import type { Event } from '../../core/event.ts'

type WithoutIndex<Each> = Each extends unknown ? Omit<Each, 'index'> : never

export type EventDraft = WithoutIndex<Event>
