// Adds to package-lock.json the platform packages that optionalDependencies name and the registry at hand did not offer.
import { readFileSync, writeFileSync } from 'node:fs'

const file = process.argv[2] ?? 'package-lock.json'
const lock = JSON.parse(readFileSync(file, 'utf8'))
const packages = lock.packages
const found = (from, name) => {
  for (let at = from; ; at = at.includes('/node_modules/') ? at.slice(0, at.lastIndexOf('/node_modules/')) : '') {
    const path = `${at === '' ? '' : `${at}/`}node_modules/${name}`
    if (packages[path]) return path
    if (at === '') return undefined
  }
}
const shape = (name) => {
  const os = /(android|darwin|freebsd|linux|openharmony|win32|wasm32)/.exec(name)[1]
  const cpu = /-(arm64|arm|x64|ppc64|riscv64|s390x|ia32)\b/.exec(name)?.[1]
  if (os === 'wasm32') return { cpu: ['wasm32'] }
  const libc = /musl/.test(name) ? { libc: ['musl'] } : /gnu/.test(name) ? { libc: ['glibc'] } : {}
  return { cpu: [cpu], ...libc, os: [os] }
}
let added = 0
for (const [path, entry] of Object.entries(packages)) {
  for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
    const at = found(path, name)
    if (!/^\d/.test(version) || (at !== undefined && packages[at].version === version)) continue
    const target =
      at === undefined && !packages[`node_modules/${name}`] ? `node_modules/${name}` : `${path}/node_modules/${name}`
    const { os, cpu, libc } = shape(name)
    packages[target] = {
      version,
      cpu,
      ...(entry.dev ? { dev: true } : {}),
      ...(libc ? { libc } : {}),
      license: entry.license,
      optional: true,
      ...(os ? { os } : {}),
      engines: entry.engines,
    }
    added++
  }
}
lock.packages = Object.fromEntries(Object.entries(packages).sort(([a], [b]) => a.localeCompare(b, 'en')))
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`)
console.log(`added ${added}`)
