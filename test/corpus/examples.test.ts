/** The examples do what their comments say, run as their comments say. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { longIf } from '../amount.ts'
import { allways } from '../cli/harness.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const traces = mkdtempSync(join(tmpdir(), 'allways-examples-'))
afterAll(() => rmSync(traces, { recursive: true }))

/** What each command in a comment must answer: program, verdict, executions or states where nothing was violated. */
const answers: { readonly [command: string]: readonly string[] } = {
  'examples/bank.check.ts': ['bank violated'],
  // Each of three machines has heard nothing, a or b from each of four: 3 · 3^4.
  'examples/booking.check.ts -t careless': ['careless violated'],
  'examples/booking.check.ts -t locking': ['locking verified 8'],
  'examples/booking.check.ts -t persistent': ['persistent verified 20'],
  'examples/broadcast.check.ts --engine local': ['broadcast verified 243'],
  'examples/broadcast.check.ts --engine local --param quorum=2': ['broadcast violated'],
  'examples/cache.check.ts': ['SettingsCache violated'],
  'examples/cloakroom.p': ['careful verified 191', 'absentminded violated'],
  'examples/cloakroom.check.ts --engine symbolic': ['careful proved', 'absentminded violated'],
  'examples/election.check.ts': ['election verified 288'],
  'examples/election.check.ts --param voters=2 --param candidates=3': ['election verified 288'],
  'examples/faults.check.ts -t trusting': ['trusting violated'],
  'examples/faults.check.ts -t careful': ['careful verified 7'],
  'examples/faults.check.ts -t careful --faults crashes=2': ['careful violated'],
  'examples/generals.check.ts': ['generals violated'],
  'examples/generals.check.ts --param looks=true': ['generals verified 5'],
  'examples/lamps.p -t watched --engine symbolic': ['watched violated'],
  // Nine lamps are each looked at before they are turned, or after: 2^9.
  'examples/lamps.p -t ten --engine symbolic': ['ten verified 512'],
  'examples/lock.check.ts': ['lock violated'],
  'examples/lock.check.ts --network causal': ['lock verified 2'],
  'examples/locked-counter.check.ts': [
    'unlocked violated',
    'locked verified 2',
    'updated verified 2',
    'crossed violated',
  ],
  'examples/orders.check.ts -t careless': ['careless violated'],
  'examples/orders.check.ts -t keyed': ['keyed verified 27'],
  'examples/parcel.check.ts': ['parcel violated'],
  'examples/parcel.check.ts --param attempts=2': ['parcel verified 12'],
  'examples/payment.check.ts': ['payment violated'],
  'examples/payment.check.ts --param remembers=1': ['payment violated'],
  'examples/retry.check.ts': ['retry verified 4', 'forgetful violated'],
  'examples/retry.check.ts -t forgetful': ['forgetful violated'],
  'examples/task-service.check.ts': ['task service verified 36', 'one task violated'],
  'examples/task-service.check.ts --param clients=1': ['task service verified 1', 'one task verified 1'],
  'examples/tickets.p': ['hasty violated', 'careful verified 37'],
  'examples/tickets.p --network mailbox': ['hasty violated', 'careful verified 134'],
  'examples/tokens.check.ts -t again': ['again verified 23'],
  'examples/tokens.check.ts -t forever': ['forever violated'],
  'prove examples/task-service.check.ts': ['task service proved', 'one task violated'],
}

test('every command that an example shows is expected to answer something', () => {
  const files = readdirSync(join(root, 'examples'), { withFileTypes: true }).filter((one) => one.isFile())
  const shown = files.flatMap(({ name }) => {
    const text = readFileSync(join(root, 'examples', name), 'utf8')
    return [...text.matchAll(/npx allways (?:check )?((?:prove )?\S+(?: -\S+ \S+)*)/g)].map(([, command]) => command)
  })
  expect(shown.sort()).toEqual(Object.keys(answers).sort())
})

for (const [at, [command, expected]] of Object.entries(answers).entries())
  test(command, longIf(at % 4 > 0, at % 2 > 0), async () => {
    const typed = command.startsWith('prove ') ? command : `check ${command}`
    const { stdout } = await allways([...typed.split(' '), '--json', '--trace-dir', traces, '--memory', '64gb'])
    const { results } = JSON.parse(stdout) as Report
    const described = results.map(({ program, verdict, counts }) =>
      verdict === 'verified' ? `${program} ${verdict} ${counts.executions ?? counts.states}` : `${program} ${verdict}`,
    )
    expect(described).toEqual(expected)
  })

interface Report {
  readonly results: readonly {
    readonly program: string
    readonly verdict: string
    readonly counts: { readonly executions?: number; readonly states?: number }
  }[]
}
