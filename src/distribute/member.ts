/** A thread of a crew, as far as it has nothing to do with threads: explores parts one after the other, and tells of them. */
import type { WorkUnit } from '../core/verdict.ts'
import { Audits } from './audits.ts'
import type { Asked, PartProgress, Report } from './crew.ts'
import type { Driven, Found, Host, Search, Watch } from './driver.ts'
import { InlineDrive } from './inline.ts'

export interface MemberPort {
  /** What it is asked now; `share` only once for each time. */
  asked(): Asked | undefined
  explored(share: number): void
  tell(report: Report): void
}

/** Drops are heard of between slices. */
const sliceMilliseconds = 5

export class Member {
  readonly #search: Search
  readonly #watch: Pick<Watch, 'keepGoing'>
  readonly #host: Host
  readonly #audits: Audits
  readonly #port: MemberPort
  #drive: InlineDrive | undefined
  #part = 0
  #asked: Asked | undefined

  constructor(search: Search, watch: Pick<Watch, 'keepGoing' | 'audit'>, host: Host, port: MemberPort) {
    this.#search = search
    this.#watch = { keepGoing: watch.keepGoing }
    this.#host = host
    this.#audits = new Audits(watch.audit, 'beside others')
    this.#port = port
  }

  begin(part: number, units: readonly WorkUnit[]): void {
    this.#part = part
    this.#asked = undefined
    const search = { ...this.#search, units }
    const member = this
    const watch: Watch = {
      ...this.#watch,
      budget: {},
      signal: {
        get aborted() {
          return member.#look() === 'surrender'
        },
      },
      onProgress: (progress) => this.#port.tell({ kind: 'progress', part, progress: partProgress(progress) }),
      sharing: {
        isAsked: () => this.#isAskedToShare(),
        given: (given) => this.#port.tell({ kind: 'given', part, units: given }),
        explored: (share) => this.#port.explored(share),
      },
    }
    this.#drive = new InlineDrive(search, watch, this.#host, this.#audits)
  }

  /** Explores for a while; true when there is nothing to do. */
  slice(): boolean {
    const drive = this.#drive
    if (drive === undefined) return true
    const isOver = drive.slice({ milliseconds: sliceMilliseconds })
    if (!isOver && this.#look() !== 'drop') return false
    drive.abandon('outrun')
    this.#drive = undefined
    this.#port.tell({ kind: 'ended', part: this.#part, driven: plain(drive.result()) })
    return true
  }

  /** What is asked for may be asked for while something else is looked for. */
  #look(): Asked | undefined {
    const asked = this.#port.asked()
    if (asked !== undefined) this.#asked = asked
    return this.#asked
  }

  #isAskedToShare(): boolean {
    if (this.#look() !== 'share') return false
    this.#asked = undefined
    return true
  }
}

function partProgress({ counts, violations, explored }: PartProgress): PartProgress {
  return { counts, violations, explored }
}

/** Without functions, which no thread can be sent. */
function plain(driven: Driven): Driven {
  return { ...driven, found: driven.found.map(expanded) }
}

function expanded({ expand, ...found }: Found): Found {
  return expand === undefined ? found : { ...found, decisions: expand() }
}
