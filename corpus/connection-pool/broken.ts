/** Two pools that break: one opens a connection too many, the other forgets somebody who waits. */
import type { Connect, Connection } from './connection.ts'

/** Counts a connection after it is there. */
export class RacyPool {
  readonly #connect: Connect
  readonly #max: number
  readonly #idle: Connection[] = []
  readonly #waiters: ((connection: Connection) => void)[] = []
  #size = 0

  constructor(connect: Connect, max: number) {
    this.#connect = connect
    this.#max = max
  }

  async acquire(): Promise<Connection> {
    const idle = this.#idle.pop()
    if (idle !== undefined) return idle
    if (this.#size < this.#max) {
      const connection = await this.#connect()
      this.#size++
      return connection
    }
    return await new Promise((resolve) => {
      this.#waiters.push(resolve)
    })
  }

  release(connection: Connection): void {
    const next = this.#waiters.shift()
    if (next !== undefined) next(connection)
    else this.#idle.push(connection)
  }

  /** Runs one query on any connection. */
  async query(text: string): Promise<string> {
    const connection = await this.acquire()
    try {
      return await connection.query(text)
    } finally {
      this.release(connection)
    }
  }

  /** How many connections are open. */
  size(): number {
    return this.#size
  }
}

/** Cleans a connection before it becomes idle, and forgets those who came to wait meanwhile. */
export class ForgetfulPool {
  readonly #connect: Connect
  readonly #max: number
  readonly #idle: Connection[] = []
  readonly #waiters: ((connection: Connection) => void)[] = []
  #size = 0

  constructor(connect: Connect, max: number) {
    this.#connect = connect
    this.#max = max
  }

  async acquire(): Promise<Connection> {
    const idle = this.#idle.pop()
    if (idle !== undefined) return idle
    if (this.#size < this.#max) {
      this.#size++
      return await this.#connect()
    }
    return await new Promise((resolve) => {
      this.#waiters.push(resolve)
    })
  }

  async release(connection: Connection): Promise<void> {
    const next = this.#waiters.shift()
    if (next !== undefined) return next(connection)
    // Whoever comes to wait from here on is not noticed any more.
    await connection.query('discard all')
    this.#idle.push(connection)
  }

  /** Runs one query on any connection. */
  async query(text: string): Promise<string> {
    const connection = await this.acquire()
    try {
      return await connection.query(text)
    } finally {
      await this.release(connection)
    }
  }

  /** How many connections are open. */
  size(): number {
    return this.#size
  }
}
