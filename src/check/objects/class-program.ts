/**
 * A class as a program: its client is a parameter, and each client is a setting. Of a file that was loaded in the form `objects` only,
 * since accesses are seen in no other (`load.ts`).
 */
import { DiagnosticError } from '../../core/diagnostic.ts'
import { invariant } from '../../core/invariant.ts'
import { defaultsOf, optionsFrom } from '../../core/options.ts'
import { type Setting, settingFrom } from '../../core/setting.ts'
import { deadlockOption, type Program, registerProgram } from '../../program/program.ts'
import type { Client } from '../../properties/linearizability/client.ts'
import { clients as clientsIn } from '../../properties/linearizability/client-enumeration.ts'
import { parseClient, printClient } from '../../properties/linearizability/client-text.ts'
import { objectPaths } from '../../semantics/memory/object-path.ts'
import type { ObjectSubject } from '../../semantics/memory/subject.ts'
import { ObjectWorld } from '../../semantics/memory/world.ts'
import type { ObjectRequest } from './request.ts'
import { subjectOf } from './subjects.ts'

/** Messages have no part in classes; a setting names a network all the same. */
export const classNetwork = 'bag'

/** The class of a request, with its criterion and granularity; its default client is the smallest one. */
export function classProgram(request: ObjectRequest): Program {
  const [smallest] = clientTexts(request)
  invariant(smallest !== undefined, 'a request has a client')
  // Steps are single ones, as the judge takes them: decisions of a search are decisions of a path.
  const single: ObjectRequest = { ...request, reduction: 'none' }
  const options = optionsOf(request)
  const subject = ({ params, options: given }: Setting): ObjectSubject => {
    const chosen = optionsFrom(options, given) as unknown as Pick<
      ObjectRequest,
      'deadlock' | 'criterion' | 'granularity'
    >
    return subjectOf({ ...single, ...chosen }, clientOf(params.client), request.sections).subject
  }
  const { name, stack } = request.check
  return registerProgram({
    name,
    params: { client: smallest },
    every: {},
    network: classNetwork,
    options,
    views: {
      stateful: (setting) => new ObjectWorld(subject(setting)),
      path: (setting) => objectPaths(subject(setting)),
    },
    stack,
  })
}

/** How a class is judged; what the request says is the default. */
function optionsOf({ deadlock, criterion, granularity }: ObjectRequest) {
  return {
    deadlock: deadlockOption(deadlock),
    criterion: {
      form: 'choice',
      values: ['linearizable', 'outcomes'],
      default: criterion,
      help: 'results in the order of time, or results alone',
    },
    granularity: {
      form: 'choice',
      values: ['access', 'await'],
      default: granularity,
      help: 'where processes interleave',
    },
  } as const
}

/** One setting per client within the bounds of the request, smallest first. */
export function* classSettings(request: ObjectRequest): Generator<Setting, void> {
  for (const client of clientTexts(request))
    yield settingFrom({ params: { client }, network: classNetwork, options: defaultsOf(optionsOf(request)) })
}

function* clientTexts({ clients }: ObjectRequest): Generator<string, void> {
  const all: Iterable<Client> = clients.kind === 'given' ? clients.clients : clientsIn(clients.space)
  for (const client of all) yield printClient(client)
}

function clientOf(text: unknown): Client {
  const client = parseClient(String(text))
  if (client.ok) return client.value
  const [diagnostic] = client.diagnostics
  invariant(diagnostic !== undefined, 'what is no client has a reason')
  throw new DiagnosticError(diagnostic)
}
