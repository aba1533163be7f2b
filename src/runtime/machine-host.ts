/**
 * Runs one machine of a system on a real network: the handlers that are checked are the handlers that run. Events are handled one
 * at a time and to the end: the handler, then its state to the disk, then its messages. Between two events a snapshot may
 * record the state; during one nothing else happens.
 */
import { type Diagnostic, failure, type Result, success } from '../core/diagnostic.ts'
import { invariant } from '../core/invariant.ts'
import type { Violation } from '../core/property.ts'
import { Random } from '../core/random.ts'
import type { Snapshot } from '../core/snapshot.ts'
import { fingerprintText, type Value } from '../core/value.ts'
import type { Envelope, LocalState, MachineEvent } from '../program/machines.ts'
import { anyLoopbackPort, type HostAddress } from './address.ts'
import { valueBytes } from './body.ts'
import { CallHistory } from './call-history.ts'
import { type Counters, newCounters } from './counters.ts'
import { DurableState } from './durable-state.ts'
import { EventLog, type LoggedLife, type NumberedEnvelope, type Origin } from './event-log.ts'
import { type HostOptions, optionMistake } from './host-options.ts'
import { nextLife } from './incarnation.ts'
import { MachineTimers } from './machine-timers.ts'
import { type ArrivedMessage, RuntimeNetwork } from './network.ts'
import { RequestDriver } from './request-driver.ts'
import type { PartCalls } from './snapshot.ts'
import { SnapshotCollector } from './snapshot-collector.ts'
import { SnapshotRecorder } from './snapshot-recorder.ts'
import { type SavedState, StateFile } from './state-file.ts'
import type { StateLock } from './state-lock.ts'
import type { Frame } from './wire.ts'

/** A message to oneself; the network has no part in it. */
interface LocalMessage {
  readonly number: number
  readonly message: Value
}

export class MachineHost {
  readonly name: string
  readonly counters: Counters
  readonly #options: HostOptions
  readonly #self: number
  /** Later than every earlier life: the clock, or one more than what was kept if the clock went back. */
  readonly #incarnation: number
  readonly #durable: DurableState | undefined
  readonly #log: EventLog
  readonly #random: Random
  readonly #timers: MachineTimers
  readonly #driver: RequestDriver
  /** Set by `open`, before it gives the host away. */
  #network!: RuntimeNetwork
  #recorder!: SnapshotRecorder
  #collector!: SnapshotCollector
  #state: LocalState
  /**
   * Messages to itself that wait for their turn, in order: the network has no part in them, a snapshot has. As many as its own
   * handlers send, and one is handled in each turn of the event loop; a check of the machine shows those that grow for ever.
   */
  readonly #local: LocalMessage[] = []
  /** Numbers messages of this life, and keeps what was announced. */
  readonly #calls: CallHistory
  /** Whether another machine has begun a new life since this one began. */
  #hasRenewed = false
  #status: 'bound' | 'running' | 'stopped' = 'bound'
  readonly #saved: SavedState | undefined
  #lock: StateLock | undefined

  /** Binds the socket and reads what was kept; nothing runs before `start`. */
  static async open(options: HostOptions): Promise<Result<MachineHost>> {
    const mistake = optionMistake(options)
    if (mistake !== undefined) return failure(mistake)
    const { stateFolder, system, machine } = options
    const file = stateFolder === undefined ? undefined : new StateFile(stateFolder, system, machine)
    const lock = file?.prepare() ?? success(undefined)
    if (!lock.ok) return lock
    const host = await MachineHost.#openWith(options, file)
    if (!host.ok) lock.value?.release()
    else if (lock.value !== undefined) {
      host.value.#lock = lock.value
      if (lock.value.takenOver !== undefined) options.onTakeOver?.(lock.value.takenOver)
    }
    return host
  }

  static async #openWith(options: HostOptions, file: StateFile | undefined): Promise<Result<MachineHost>> {
    const saved = file?.read() ?? success(undefined)
    if (!saved.ok) return saved
    const foreign = saved.value === undefined ? undefined : file?.misfit(saved.value.state, startOf(options))
    if (foreign !== undefined) return foreign
    const host = new MachineHost(options, file, saved.value)
    const network = await host.#openNetwork()
    return network.ok ? success(host) : network
  }

  private constructor(options: HostOptions, file: StateFile | undefined, saved: SavedState | undefined) {
    const self = options.machines.machines.indexOf(options.machine)
    const incarnation = nextLife(saved?.incarnation ?? 0, Date.now())
    this.#options = options
    this.name = options.machine
    this.counters = newCounters()
    this.#self = self
    this.#saved = saved
    this.#incarnation = incarnation
    const calls = new CallHistory(options.machines.refines ?? [], saved?.called, saved === undefined)
    this.#calls = calls
    const life = { self, incarnation, calls }
    this.#durable = file === undefined ? undefined : new DurableState(file, options.machines, life)
    this.#log = new EventLog(options.log, options.machine, this.counters)
    const seeded = JSON.stringify([options.seed ?? 0, options.machine])
    this.#random = new Random(Number.parseInt(fingerprintText(seeded).slice(0, 8), 16))
    this.#state = saved?.state ?? startOf(options)
    this.#timers = new MachineTimers((name) => this.#timerFired(name))
    this.#driver = new RequestDriver(options.machines, self, {
      mostMilliseconds: options.requests?.mostMilliseconds,
      random: this.#random.split(),
      state: () => this.#state,
      perform: (event) => this.#handle(event),
    })
  }

  /** Where it listens, with the port that was chosen. */
  get address(): HostAddress {
    return this.#network.address
  }

  /** Which life of the machine this is; each has a larger number. */
  get incarnation(): number {
    return this.#incarnation
  }

  /** Of one that comes back: how many of its requests its earlier lives have made, which it does not make again. */
  get requestsBefore(): number | undefined {
    return this.#saved?.state.requests
  }

  get state(): LocalState {
    return this.#state
  }

  get isRunning(): boolean {
    return this.#status === 'running'
  }

  /** Begins, or comes back after a crash. Peers are all other machines of the system, by name. */
  start(peers: ReadonlyMap<string, HostAddress>): void {
    invariant(this.#status === 'bound', 'a machine is started once')
    this.#status = 'running'
    const { machines } = this.#options
    this.#log.begins(this.#life())
    this.#network.start(new Map([...peers].map(([name, address]) => [machines.machines.indexOf(name), address])))
    if (this.#saved === undefined) this.#begin()
    else this.#handle({ kind: 'crash' })
    this.#driver.next()
  }

  /** The first life. */
  #begin(): void {
    const { start } = this.#options.machines
    const calls = this.#calls.announced(start.announced?.[this.#self])
    if (!this.#save(this.#state)) return
    const sent = start.underWay.filter(({ from }) => from === this.name)
    this.#timers.follow(this.#state.timers, start.waits?.[this.#self])
    this.#log.started(this.#send(sent), calls)
  }

  /** As the log begins. */
  #life(): LoggedLife {
    const { machines, system, params = {} } = this.#options
    const { names: refines, calls } = this.#calls
    const about = { system, params, incarnation: this.#incarnation, machines: machines.machines, refines }
    return this.#saved === undefined ? about : { ...about, earlier: { incarnation: this.#saved.incarnation, calls } }
  }

  /** A call of the application. What comes of it is in the state and in the log. */
  request(name: string, argument: Value): void {
    if (this.#status === 'running') this.#handle({ kind: 'request', name, argument })
  }

  /** A consistent state of the whole system, with what is under way. */
  async snapshot(): Promise<Result<Snapshot>> {
    const taken = await this.#collector.take()
    if (taken.ok) this.counters.snapshots++
    return taken
  }

  /** What has left is with the operating system, and the log is on its way to the disk. */
  async stop(): Promise<void> {
    if (this.#status === 'stopped') return
    this.#status = 'stopped'
    this.#timers.stop()
    this.#driver.stop()
    this.#collector.stop()
    this.#recorder.stop()
    await this.#network.close()
    this.#lock?.release()
    await this.#log.ends()
  }

  async #openNetwork(): Promise<Result<unknown>> {
    const { system, params, machines, transport, listen, key, messageLimit, faults, seed } = this.#options
    const self = this.#self
    const opened = await RuntimeNetwork.open({
      system,
      machines: machines.machines,
      params,
      self,
      incarnation: this.#incarnation,
      transport: transport ?? 'udp',
      listen: listen ?? anyLoopbackPort,
      key,
      limit: messageLimit,
      faults: faults ?? {},
      seed: seed ?? 0,
      counters: this.counters,
      events: {
        message: (arrived) => this.#arrived(arrived),
        control: (frame) => this.#control(frame),
        renewed: (from) => this.#renewed(from),
      },
    })
    if (!opened.ok) return opened
    const network = opened.value
    const patienceMilliseconds = this.#options.patienceMilliseconds ?? 10_000
    this.#network = network
    this.#recorder = new SnapshotRecorder({
      self,
      machines: machines.machines.length,
      network,
      earlier: this.#saved?.snapshot ?? 0,
      graceMilliseconds: this.#options.graceMilliseconds ?? 500,
      patienceMilliseconds,
      state: () => this.#state,
      local: () => this.#local.map(({ message }) => message),
      calls: () => this.#calledSoFar(),
      recorded: (id) => this.#kept(() => this.#durable?.write(this.#state, id)),
      done: (id, part) => this.#collector.own(id, part),
    })
    const about = { self, system, params: params ?? {}, machines: machines.machines }
    this.#collector = new SnapshotCollector({ ...about, network, recorder: this.#recorder, patienceMilliseconds })
    return opened
  }

  /** For a snapshot: nothing if nobody asks. */
  #calledSoFar(): PartCalls | undefined {
    const { isAsked, calls } = this.#calls
    const hasRestarts = this.#saved !== undefined || this.#hasRenewed
    return isAsked ? { made: calls, isKept: this.#durable !== undefined, hasRestarts } : undefined
  }

  #arrived(arrived: ArrivedMessage): void {
    if (this.#status !== 'running') return
    this.#recorder.arriving(arrived)
    this.#collector.notice()
    // It stops if what it recorded could not be kept.
    if (!this.isRunning) return
    this.counters.delivered++
    this.#calls.heard(arrived.number)
    const from = this.#options.machines.machines[arrived.from] as string
    this.#handle({ kind: 'message', from, message: arrived.message }, arrived)
  }

  #control(frame: Frame): void {
    if (this.#status !== 'running') return
    if (frame.kind === 'report') this.#collector.control(frame)
    else this.#recorder.control(frame)
    this.#collector.notice()
  }

  /** The recorder first: it must be idle when the collector begins again. */
  #renewed(from: number): void {
    this.#hasRenewed = true
    this.#recorder.renewed(from)
    this.#collector.renewed()
  }

  #timerFired(name: string): void {
    if (this.#status === 'running' && this.#state.timers.includes(name)) this.#handle({ kind: 'timer', name })
  }

  /** One at a time, with a turn of the event loop between them: a machine that talks to itself must still hear others. */
  #nextLocal(): void {
    const first = this.#status === 'running' ? this.#local.shift() : undefined
    if (first === undefined) return
    this.counters.delivered++
    const origin = { incarnation: this.#incarnation, number: first.number }
    this.#handle({ kind: 'message', from: this.name, message: first.message }, origin)
  }

  #handle(event: MachineEvent, origin?: Origin): void {
    const outcomes = this.#options.machines.handle(this.#self, this.#state, event)
    const outcome = outcomes.length > 1 ? this.#random.pick(outcomes) : outcomes[0]
    if (outcome === undefined) return
    if (outcome.violation !== undefined) {
      this.#violated(outcome.violation, event, origin)
      return
    }
    const [created] = outcome.created ?? []
    if (created !== undefined) {
      const message = `machine "${this.name}" creates "${created.name}", and machines that run are there from the beginning`
      const hint = 'declare the machines that it may need, and let it wake one of them'
      return this.#fail({ code: 'E606', message, hint })
    }
    const calls = this.#calls.announced(outcome.announced)
    if (!this.#save(outcome.state)) return
    this.#state = outcome.state
    this.#timers.follow(this.#state.timers, outcome.waits)
    const sent = this.#send(outcome.sent)
    this.#log.handled(event, origin, { choices: outcome.choices, sent, calls })
    if (event.kind === 'request') this.#driver.next()
  }

  /** As if the event had not happened, except that it is over: a timer has fired, a request was made. */
  #violated(violation: Violation, event: MachineEvent, origin: Origin | undefined): void {
    this.counters.violations++
    this.#log.violated(event, origin, violation)
    if (event.kind === 'crash') {
      const { message, stack } = violation
      const hint = 'what "start" does with the state that was saved must not fail'
      this.#fail({ code: 'E606', message: `machine "${this.name}" could not come back: ${message}`, hint, stack })
      return
    }
    this.#state = afterDropped(this.#state, event)
    this.#timers.follow(this.#state.timers, undefined)
    this.#options.onViolation?.(violation, event)
    if (event.kind === 'request') this.#driver.next()
  }

  /** On the disk before any message of the same handler leaves. */
  #save(state: LocalState): boolean {
    return this.#kept(() => this.#durable?.save(state, this.#recorder.latest))
  }

  #kept(write: () => void): boolean {
    try {
      write()
      return true
    } catch (error) {
      const message = `the state of machine "${this.name}" could not be kept: ${(error as Error).message}`
      this.#fail({ code: 'E603', message, hint: 'the machine has stopped; nothing was sent since' })
      return false
    }
  }

  #fail(diagnostic: Diagnostic): void {
    void this.stop()
    this.#options.onFailure?.(diagnostic)
  }

  #send(sent: readonly Envelope[]): readonly NumberedEnvelope[] {
    return sent.map((envelope) => {
      const { to, message } = envelope
      const number = this.#calls.next()
      this.counters.sent++
      if (to === this.name) {
        this.#local.push({ number, message })
        setImmediate(() => this.#nextLocal())
      } else {
        const outgoing = { number, snapshot: this.#recorder.latest, body: valueBytes(message) }
        this.#network.send(this.#options.machines.machines.indexOf(to), outgoing)
      }
      return { ...envelope, number }
    })
  }
}

function startOf({ machines, machine }: HostOptions): LocalState {
  return machines.start.states[machines.machines.indexOf(machine)] as LocalState
}

function afterDropped(state: LocalState, event: MachineEvent): LocalState {
  if (event.kind === 'timer') return { ...state, timers: state.timers.filter((name) => name !== event.name) }
  return event.kind === 'request' ? { ...state, requests: state.requests + 1 } : state
}
