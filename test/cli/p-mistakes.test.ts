/** Mistakes around P programs: files that are none, and what cannot be asked of them. None of them is an error of ours. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { allways } from './harness.ts'
import { expectMistake } from './mistake.ts'

const folder = mkdtempSync(join(tmpdir(), 'allways-p-mistakes-'))
afterAll(() => rmSync(folder, { recursive: true }))

let made = 0
function written(name: string, content: string | Uint8Array): string {
  const inside = join(folder, `${++made}`)
  mkdirSync(inside)
  writeFileSync(join(inside, name), content)
  return join(inside, name)
}

const calm = 'machine Main { start state S { } }\n'
const tests = `param nClients: int;
machine Main { start state S { entry { assert nClients < 3; } } }
test tcSafety [main=Main]: { Main };
test param (nClients in [1, 2, 3]) tcMany [main=Main]: { Main };
`

describe('files', () => {
  test('a project that lists a file which is not there', async () => {
    const project = written('a.pproj', '<Project>\n<PFile>./gone.p</PFile></Project>')
    await expectMistake(['check', project], { code: 'E101', message: 'lists ./gone.p', hint: 'relative to it' })
    const { stderr } = await allways(['check', project])
    expect(stderr).toContain('a.pproj:2:8')
  })

  test.each([
    ['a folder without any', '<PFile>.</PFile>', 'E103', 'a.pproj lists no P files', '<PFile>'],
    ['nothing', '', 'E103', 'a.pproj lists no P files', '<PFile>'],
    ['an empty name', '<PFile> </PFile>', 'E101', 'not understood', 'write <PFile>'],
    ['an entity of its own', '<PFile>&mine;.p</PFile>', 'E101', 'not understood', 'without attributes and entities'],
    ['an attribute', '<PFile Include="a.p"/>', 'E101', 'not understood', 'without attributes'],
    ['some other file', '<PFile>a.pproj.txt</PFile>', 'E101', 'a.pproj.txt, which is not a P file', '.p files'],
    ['a file of the system', '<PFile>/etc/passwd</PFile>', 'E101', '/etc/passwd, which is not a P file', '.p files'],
    ['a device', '<PFile>/dev/zero</PFile>', 'E101', 'it is a device, and not a file', '.p files'],
    ['a link to nowhere', '<PFile>broken.p</PFile>', 'E101', 'nothing where it leads', '.p files'],
  ])('a project that lists %s', async (_, listed, code, message, hint) => {
    const project = written('a.pproj', `<Project>${listed}</Project>`)
    writeFileSync(`${project}.txt`, 'machine of others')
    symlinkSync('nowhere.p', join(project, '../broken.p'))
    // A folder is read as such, and this link is in it.
    if (code === 'E103') unlinkSync(join(project, '../broken.p'))
    await expectMistake(['check', project], { code, message, hint })
  })

  test('paths in a project may be written in any way that XML has', async () => {
    const project = written('a.pproj', '<Project><PFile>b&#46;&#x70;</PFile><PFile><![CDATA[c&d.p]]></PFile></Project>')
    writeFileSync(join(project, '../b.p'), 'event eGo;')
    writeFileSync(join(project, '../c&d.p'), calm)
    expect(await allways(['check', project])).toMatchObject({ code: 0 })
  })

  test('a link to nowhere, named like a P file', async () => {
    const path = join(written('x', ''), '../broken.p')
    symlinkSync('nowhere.p', path)
    await expectMistake(['check', path], { code: 'E101', message: 'nothing where it leads', hint: 'name a .p file' })
  })

  test('projects that include each other are each read once', async () => {
    const project = written('a.pproj', '<Project><PFile>a.p</PFile><IncludeProject>b.pproj</IncludeProject></Project>')
    writeFileSync(
      join(project, '../b.pproj'),
      '<Project><PFile>a.p</PFile><IncludeProject>a.pproj</IncludeProject></Project>',
    )
    writeFileSync(join(project, '../a.p'), calm)
    expect(await allways(['check', project])).toMatchObject({ code: 0 })
  })

  test('a folder with sources of P and a check file', async () => {
    const file = written('a.p', calm)
    writeFileSync(join(file, '../a.check.ts'), "import { pModel } from 'allways'\nexport default pModel('.')\n")
    await expectMistake(['check', join(file, '..')], {
      code: 'E101',
      message: 'holds sources of one program and a.check.ts',
      hint: 'name what you mean',
    })
    expect(await allways(['check', file])).toMatchObject({ code: 0 })
    expect(await allways(['check', join(file, '../a.check.ts')])).toMatchObject({ code: 0 })
  })

  test.each([
    ['an empty one', '', 'E721', 'no test, and no machine "Main"', 'test tcName'],
    [
      'one without a beginning',
      'machine M { start state S { } }',
      'E721',
      'no test, and no machine "Main"',
      'test tcName',
    ],
    ['a large one', calm + '// x\n'.repeat(1_100_000), 'E101', '5.5 MB, and at most', 'at most 4 MB'],
    ['bytes', Uint8Array.from({ length: 3000 }, (_, at) => (at * 7919) % 256), 'E101', 'no text in UTF-8', 'UTF-8'],
  ])('%s', async (_, content, code, message, hint) => {
    await expectMistake(['check', written('a.p', content)], { code, message, hint })
  })

  test('one that begins with a byte-order mark is like others', async () => {
    expect(await allways(['check', written('a.p', `\ufeff${calm}`)])).toMatchObject({ code: 0 })
  })

  test('a directory that is named like one', async () => {
    const inside = join(written('x', ''), '../a.p')
    mkdirSync(inside)
    await expectMistake(['check', inside], { code: 'E101', message: 'no check files below', hint: '*.pproj' })
    await expectMistake(['check', join(folder, 'gone.p')], {
      code: 'E101',
      message: 'there is no file',
      hint: 'check files',
    })
  })
})

describe('what cannot be asked of P programs', () => {
  const file = written('tests.p', tests)
  const safety = ['check', file, '-t', 'tcSafety']

  test.each([
    [['check', file, '-t', 'tcSafty'], 'E106', 'no program has "tcSafty"', 'did you mean "tcSafety"?'],
    [['check', file, '-t', 'zzz'], 'E106', 'no program has "zzz"', '"tcMany___nClients_1"'],
    [['check', file, '--param', 'nClients=2'], 'E110', 'a parameter "nClients"', 'come from its tests'],
    [['prove', file], 'E406', 'is not a program of processes', 'use allways check'],
    [['linearize', file], 'E308', 'is a P program, and has no classes', 'use allways check'],
    [['run', file, '--all'], 'E606', 'is a P program, which is checked and not run', 'use allways check'],
    [['online', file, '--attach', '127.0.0.1:7101'], 'E606', 'is a P program', 'use allways check'],
    [[...safety, '--faults', 'losses=1'], 'E217', 'faults are not injected', 'write them in P'],
    [[...safety, '--network', 'fifoo'], 'E109', 'no network "fifoo"', 'did you mean "fifo"?'],
    [[...safety, '--network', 'fifo-eager'], 'E107', 'a variant of the dpor engine', 'hint: use --network fifo'],
    [[...safety, '--network', 'fifo-eager', '--engine', 'dpor'], 'E309', 'takes no P programs', 'use --network fifo'],
    [[...safety, '--max-steps', '3'], 'E107', 'maxSteps bounds processes', 'use --engine symbolic'],
    [[...safety, '--engine', 'local'], 'E309', 'with the networks bag and fifo', 'stateful, dpor, exhaustive'],
    [[...safety, '--engine', 'sequentialize'], 'E301', '"tcSafety" is a P program', 'stateful'],
    [[...safety, '--engine', 'histories'], 'E301', '"tcSafety" is a P program', 'stateful'],
  ] as const)('%j', async (argv, code, message, hint) => {
    await expectMistake(argv, { code, message, hint })
  })

  test('a family of tests is chosen by the beginning of its name, or by its line', async () => {
    const names = async (...argv: readonly string[]): Promise<readonly string[]> => {
      const { stdout } = await allways(['list', ...argv, '--json'])
      return JSON.parse(stdout).programs.map(({ program }: { readonly program: string }) => program)
    }
    const family = ['tcMany___nClients_1', 'tcMany___nClients_2', 'tcMany___nClients_3']
    expect(await names(file, '-t', 'tcMany')).toEqual(family)
    expect(await names(`${file}:4`)).toEqual(family)
    expect(await names(`${file}:3`)).toEqual(['tcSafety'])
    expect(await names(file, '-t', 'tcMany___nClients_2')).toEqual(['tcMany___nClients_2'])
  })
})
