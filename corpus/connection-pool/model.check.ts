import { linearizable } from 'allways'
import { ForgetfulPool, RacyPool } from './broken.ts'
import type { Connection } from './connection.ts'
import { ConnectionPool } from './pool.ts'

/** Numbers its connections, and every answer says which one gave it. */
class Server {
  #connections = 0

  async connect(): Promise<Connection> {
    this.#connections++
    const id = this.#connections
    return { id, query: async (text) => `${text}, by connection ${id}` }
  }
}

function connector(): () => Promise<Connection> {
  const server = new Server()
  return async () => await server.connect()
}

const operations = { query: ['select 1'], size: [] }

export default linearizable(ConnectionPool, {
  name: 'connection pool',
  create: () => new ConnectionPool(connector(), 1),
  operations,
})

/** Two of them wait in line. */
export const three = linearizable(ConnectionPool, {
  name: 'connection pool with three users',
  create: () => new ConnectionPool(connector(), 1),
  operations,
  processes: 3,
  calls: 1,
})

export const racy = linearizable(RacyPool, {
  name: 'racy connection pool',
  create: () => new RacyPool(connector(), 1),
  operations,
})

export const forgetful = linearizable(ForgetfulPool, {
  name: 'forgetful connection pool',
  create: () => new ForgetfulPool(connector(), 1),
  operations,
})
