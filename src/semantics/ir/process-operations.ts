/** What the processes of an IR program ask for. */
import { type LibraryFilter, type NetworkName, Operation, type SpawnDetail } from '../../core/operation.ts'
import { Address } from '../../core/value.ts'

/** Operations stand in no file of the user's. */
const nowhere = ''

export function spawning({ id, body, args }: Pick<SpawnDetail, 'body' | 'args'> & { readonly id: string }): Operation {
  const detail = { name: id, id, body, args, daemon: true, replica: undefined }
  return new Operation('spawn', undefined, undefined, undefined, detail, nowhere)
}

export function receiving(kind: 'receive' | 'poll', where?: LibraryFilter): Operation {
  return new Operation(kind, undefined, undefined, where, undefined, nowhere)
}

export function sending(to: string, text: string, network?: NetworkName): Operation {
  return new Operation('send', Address.of(to), text, undefined, network, nowhere)
}

export function choosing(count: number): Operation {
  const options = Object.freeze(Array.from({ length: count }, (_, at) => at))
  return new Operation('choose', undefined, options, undefined, undefined, nowhere)
}

/** A choice of one: a machine begins a turn that no message is the occasion of. Handlers choose among more. */
export function nextTurn(): Operation {
  return choosing(1)
}

export function isNextTurn({ kind, payload }: Operation): boolean {
  return kind === 'choose' && (payload as readonly unknown[]).length === 1
}

export function stopping(): Operation {
  return new Operation('assume', undefined, false, undefined, undefined, nowhere)
}
