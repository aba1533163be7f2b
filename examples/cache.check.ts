/**
 * Is the class in cache.ts safe when several callers use it at once? Every client of two processes with two calls each is
 * explored, and what it sees must look as if the calls had run one after the other.
 *
 *   npx allways check examples/cache.check.ts
 *
 * finds a setting that was set and is forgotten: somebody else was loading the old one.
 */
import { linearizable } from 'allways'
import { SettingsCache } from './cache.ts'

export default linearizable(SettingsCache, {
  create: () => new SettingsCache(async () => 'light'),
  operations: { get: ['theme'], set: [['theme', 'dark']] },
})
