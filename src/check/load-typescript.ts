/** The TypeScript front end. What reads and transforms sources is loaded with the first of them: other files are checked without. */
import type { FrontEnd } from '../frontends/frontend.ts'
import { sourceExtensions } from './source-extensions.ts'

export const typescript: FrontEnd = {
  reads: 'a TypeScript or JavaScript module',
  extensions: sourceExtensions,
  checkFiles: /\.check\.(ts|mts|js|mjs)$/,
  shownNames: ['*.check.ts', '*.check.mts', '*.check.js', '*.check.mjs'],
  async load(path, shown, reading) {
    const { loadCheckFile } = await import('./load-check-file.ts')
    return await loadCheckFile(path, shown, reading)
  },
}
