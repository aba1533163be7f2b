/** Commands without the part of the command line that is the same each time: arguments are parsed once. */
import { cwd } from 'node:process'
import { type Invocation, parseArguments } from '../../../src/cli/arguments.ts'
import { check } from '../../../src/cli/commands/check.ts'
import { linearize } from '../../../src/cli/commands/linearize.ts'
import { online } from '../../../src/cli/commands/online.ts'
import { prove } from '../../../src/cli/commands/prove.ts'
import { replay } from '../../../src/cli/commands/replay.ts'
import { run } from '../../../src/cli/commands/run.ts'
import { show } from '../../../src/cli/commands/show.ts'
import { type Host, type Io, ioOf } from '../../../src/cli/io.ts'
import { orThrow } from '../../../src/core/diagnostic.ts'
import { Captured, type Ran } from '../harness.ts'

/** What `main` would make an internal error of is thrown. */
export function prepared(argv: readonly string[], env: Host['env'] = {}): () => Promise<Ran> {
  const asked = orThrow(parseArguments(argv))
  return async () => {
    const [stdout, stderr] = [new Captured({}), new Captured({})]
    const code = await carriedOut(asked, ioOf({ cwd: cwd(), env, stdout, stderr, onInterrupt: () => () => {} }))
    return { code, stdout: stdout.text, stderr: stderr.text }
  }
}

async function carriedOut(asked: Invocation, io: Io): Promise<number> {
  switch (asked.kind) {
    case 'check':
      return await check(asked.kind, asked.files, asked.flags, io)
    case 'linearize':
      return await linearize(asked.files, asked.flags, io)
    case 'prove':
      return await prove(asked.files, asked.flags, io)
    case 'replay':
      return await replay(asked, io)
    case 'show':
      return await show(asked.trace, asked.flags, io)
    case 'run':
      return await run(asked.file, asked.flags, io)
    case 'online':
      return await online(asked.file, asked.flags, io)
    default:
      throw new Error(`${asked.kind} reads no file`)
  }
}
