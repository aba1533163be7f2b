/** A real browser: chromium, or the program that CHROMIUM names. On Debian `apt-get install -y chromium` brings it. */
import { spawnSync } from 'node:child_process'
import { env } from 'node:process'

export const browser = [env.CHROMIUM, 'chromium', 'chromium-browser', 'google-chrome'].find(
  (name) => name !== undefined && spawnSync(name, ['--version']).status === 0,
)
if (browser === undefined) console.warn('test/browser is skipped: there is no chromium on this machine')
