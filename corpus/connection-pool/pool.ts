/** A pool that counts a connection before it opens it, and looks for those who wait after the last `await`. */
import type { Connect, Connection } from './connection.ts'

export class ConnectionPool {
  readonly #connect: Connect
  readonly #max: number
  readonly #idle: Connection[] = []
  readonly #waiters: ((connection: Connection | Promise<Connection>) => void)[] = []
  #size = 0

  constructor(connect: Connect, max: number) {
    this.#connect = connect
    this.#max = max
  }

  async acquire(): Promise<Connection> {
    const idle = this.#idle.pop()
    if (idle !== undefined) return idle
    if (this.#size < this.#max) return await this.#open()
    return await new Promise<Connection>((resolve) => {
      this.#waiters.push(resolve)
    })
  }

  async release(connection: Connection): Promise<void> {
    await connection.query('discard all')
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
      await this.release(connection)
    }
  }

  /** How many connections are open or being opened. */
  size(): number {
    return this.#size
  }

  async #open(): Promise<Connection> {
    this.#size++
    try {
      return await this.#connect()
    } catch (error) {
      this.#size--
      // There is room again, and nobody else would tell the first of those who wait.
      const next = this.#waiters.shift()
      if (next !== undefined) next(this.#open())
      throw error
    }
  }
}
