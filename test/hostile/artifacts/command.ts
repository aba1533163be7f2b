/** One command, run here, with streams that remember what was written to them. */
import { main } from '../../../src/cli/main.ts'

export interface Ran {
  /** What was thrown past the command, if anything was, is no status. */
  readonly code: number | string
  readonly stdout: string
  readonly stderr: string
}

export async function ran(argv: readonly string[], folder: string): Promise<Ran> {
  const written = { stdout: '', stderr: '' }
  const sink = (name: 'stdout' | 'stderr') => ({
    isTTY: false,
    columns: 100,
    write: (text: string): void => {
      written[name] += text
    },
  })
  const host = { cwd: folder, env: {}, stdout: sink('stdout'), stderr: sink('stderr'), onInterrupt: () => () => {} }
  try {
    return { code: await main(argv, host), ...written }
  } catch (error) {
    return { code: `thrown: ${error instanceof Error ? error.stack : String(error)}`, ...written }
  }
}
