/** Frames that strangers send to a machine: none of them is one that it should act on. */
import { createHmac } from 'node:crypto'
import type { Random } from '../../src/core/random.ts'
import { keyFor } from '../../src/runtime/keys.ts'
import type { MachineHost } from '../../src/runtime/machine-host.ts'
import { Codec, type Frame } from '../../src/runtime/wire.ts'

export interface Victim {
  readonly from: MachineHost
  readonly to: MachineHost
  readonly key: Buffer | undefined
  /** Messages of the session that have come: their numbers are used up. */
  seen(): number
  readonly random: Random
}

const machines = ['left', 'right']
const another = Buffer.from('another secret of sixteen bytes')
const day = 24 * 3600 * 1000

export const frameAttacks = [
  'noise',
  'truncated',
  'flipped',
  'replayed',
  'claims',
  'large',
  'far life',
  'past life',
  'far snapshot',
  'other key',
  'no key',
  'other purpose',
  'other system',
] as const
export type FrameAttack = (typeof frameAttacks)[number]

/** Every one of them is counted as refused. */
export function hostileFrame(attack: FrameAttack, victim: Victim): Buffer {
  const { random, key, from, to } = victim
  const good = genuine(victim)
  switch (attack) {
    case 'noise':
      return noise(random)
    case 'truncated':
      return good.subarray(0, random.below(good.length))
    case 'flipped':
      return flipped(good, victim)
    case 'replayed':
      return good
    case 'claims': {
      good.writeUInt32BE(random.next(), 48)
      return good
    }
    case 'large':
      return Buffer.alloc(60_000 + random.below(5_000), good)
    case 'far life':
      return genuine(victim, { fromIncarnation: Date.now() + day * (2 + random.below(1000)) })
    case 'past life':
      return random.below(2) === 0
        ? genuine(victim, { fromIncarnation: from.incarnation - 1 - random.below(1000) })
        : genuine(victim, { toIncarnation: to.incarnation - 1 - random.below(1000) })
    case 'far snapshot':
      return genuine(victim, { snapshot: Number.MAX_SAFE_INTEGER - random.below(1000) })
    case 'other key':
      return genuine(victim, {}, { key: another })
    case 'no key':
      return genuine(victim, {}, { key: key === undefined ? another : undefined })
    case 'other purpose':
      return signedAs('control requests', genuine(victim, {}, { key: undefined }), key ?? another)
    case 'other system':
      return genuine(victim, {}, { key, system: 'another' })
  }
}

/** What the sender has sent before, byte for byte, unless told otherwise. */
export function genuine(
  { from, to, key, seen, random }: Victim,
  changed: Partial<Frame> = {},
  codec: { readonly key?: Buffer | undefined; readonly system?: string } = { key },
): Buffer {
  const frame: Frame = {
    kind: 'message',
    from: 0,
    to: 1,
    fromIncarnation: from.incarnation,
    toIncarnation: to.incarnation,
    sequence: 1 + random.below(Math.max(1, seen())),
    number: 1,
    snapshot: 0,
    body: Buffer.from('{"kind":"ping","hit":0}'),
    ...changed,
  }
  return new Codec({ system: 'ping-pong', machines, limit: 65_000, ...codec }).encode(frame)
}

function noise(random: Random): Buffer {
  const bytes = Buffer.from(Array.from({ length: random.below(200) }, () => random.below(256)))
  // Some of it begins as a frame does.
  if (random.below(2) === 0 && bytes.length > 3) bytes.set([0x61, 0x77, 2, random.below(256)])
  return bytes
}

/**
 * Without a key nobody can tell another number from a change on the way, and whoever reaches the port can cut off machines: there
 * lives, numbers and snapshots (16 to 47) are left as they are.
 */
function flipped(bytes: Buffer, { random, key }: Victim): Buffer {
  let at = random.below(bytes.length)
  while (key === undefined && at >= 16 && at < 48) at = random.below(bytes.length)
  bytes[at] = (bytes[at] as number) ^ (1 << random.below(8))
  return bytes
}

function signedAs(purpose: Parameters<typeof keyFor>[0], unsigned: Buffer, key: Buffer): Buffer {
  unsigned[3] = (unsigned[3] as number) | 0x80
  return Buffer.concat([unsigned, createHmac('sha256', keyFor(purpose, key)).update(unsigned).digest()])
}
