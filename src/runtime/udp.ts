/** Frames as datagrams: each may be lost, overtaken or repeated on its way. */
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { isIP } from 'node:net'
import { type Result, success } from '../core/diagnostic.ts'
import type { HostAddress } from './address.ts'
import { notBound, type Transport, type TransportOptions } from './transport.ts'

/** The default of Linux holds some 200 datagrams; a burst while the state is written would overflow it. */
const receiveBuffer = 1 << 20
/** Bytes that the system has not taken: what a machine sends beyond is lost, as it is in a router that is too slow. */
const mostUnderWay = 16 << 20

export async function openUdp({ listen, events }: TransportOptions): Promise<Result<Transport>> {
  const socket = createSocket(isIP(listen.host) === 6 ? 'udp6' : 'udp4')
  try {
    socket.bind({ address: listen.host, port: listen.port, exclusive: true })
    await once(socket, 'listening')
  } catch (error) {
    socket.close()
    return notBound(listen, error as NodeJS.ErrnoException)
  }
  enlarge(socket)
  socket.on('message', (bytes) => events.frame(bytes))
  // Such as ICMP saying that no process listens over there: the datagram is lost, and that may happen anyway.
  socket.on('error', () => events.unsent())
  const { address, port } = socket.address()
  return success(new UdpTransport(socket, { host: address, port }, () => events.unsent()))
}

function enlarge(socket: Socket): void {
  try {
    socket.setRecvBufferSize(receiveBuffer)
  } catch {
    // The system allows less; then more is lost under load.
  }
}

class UdpTransport implements Transport {
  readonly keepsOrder = false
  readonly address: HostAddress
  readonly #socket: Socket
  readonly #unsent: () => void
  /** Datagrams given to the socket whose callback has not been called. */
  #underWay = 0
  #bytesUnderWay = 0
  /** Set by `close`: resolves its promise once nothing is under way. */
  #closed: (() => void) | undefined

  constructor(socket: Socket, address: HostAddress, unsent: () => void) {
    this.#socket = socket
    this.address = address
    this.#unsent = unsent
  }

  send(to: HostAddress, bytes: Buffer): void {
    if (this.#closed !== undefined) return
    if (this.#bytesUnderWay + bytes.length > mostUnderWay) {
      this.#unsent()
      return
    }
    this.#underWay++
    this.#bytesUnderWay += bytes.length
    const sent = (error: Error | null): void => {
      this.#underWay--
      this.#bytesUnderWay -= bytes.length
      if (error !== null) this.#unsent()
      this.#closeWhenSent()
    }
    try {
      this.#socket.send(bytes, to.port, to.host, sent)
    } catch (error) {
      sent(error as Error)
    }
  }

  renew(): void {}

  async close(): Promise<void> {
    if (this.#closed !== undefined) return
    await new Promise<void>((resolve) => {
      this.#closed = resolve
      this.#closeWhenSent()
    })
  }

  #closeWhenSent(): void {
    if (this.#closed !== undefined && this.#underWay === 0) this.#socket.close(this.#closed)
  }
}
