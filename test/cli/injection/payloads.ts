/**
 * Texts that are more than text to somebody: a terminal, GitHub's runner, a browser, Mermaid, a shell, a reader. PLANTED must not
 * come to stand at the beginning of a line, FORGED not behind what our own lines begin with.
 */
const escapes = [
  '\u001b[2J',
  '\u001b[31mPLANTED\u001b[0m',
  '\u001b[1A\u001b[2KPLANTED',
  '\u001b]0;PLANTED\u0007',
  '\u001b]52;c;Y3VybCBldmls\u0007',
  '\u001b]52;c;Y3VybCBldmls\u001b\\',
  '\u001b]8;;http://127.0.0.1:9/PLANTED\u001b\\here\u001b]8;;\u001b\\',
  '\u001bPq#0~\u001b\\',
  '\u001bc',
  '\u009b2J',
  '\u009d52;c;Y3VybA==\u009c',
  '\u0090q\u009c',
  '\u0001deadbeef31m',
]

const moving = [
  ...['\u0000', '\u0007', '\u0008\u0008\u0008PLANTED', '\u007f', '\u000e', '\u001a', '\tPLANTED', '\t\t'],
  ...['\n', '\r', '\r\n', '\u2028', '\u2029', '\u0085', '\u000b', '\u000c', '\n   ', '\n\n'].map(
    (end) => `a${end}PLANTED`,
  ),
]

const hiding = [
  ...['\u202ednes', '\u2066a\u2069', '\u202ba', '\u200e', '\u061c', '\u200b', '\u200d', '\u2060', '\ufeff', '\u00ad'],
  ...['\u3164', '\u115f', '\u2800', '\u034f', '\ufe00', '\u180e', '\u{e0001}', '\u{e0041}', '\ufff9a\ufffab\ufffb'],
  ...['\ud800', '\udc00x', '\uffff', '\u{10ffff}', '\ue000', '\u0378', 'e\u0301', '\u{1f468}\u200d\u{1f469}'],
]

const runner = [
  '::error::PLANTED',
  '::set-output name=a::PLANTED',
  '::stop-commands::PLANTED',
  '::add-mask::a',
  '   ::warning file=a::PLANTED',
  '\u00a0::error::PLANTED',
  'a\n::error::PLANTED',
  'a\r\n   ::set-env name=PATH::PLANTED',
  '##[error]PLANTED',
  '##[group]PLANTED',
  'a ##[set-env name=PATH;]PLANTED',
]

const markup = [
  '</script><script>PLANTED()</script>',
  '<script>PLANTED()</script>',
  '<img src=x onerror=PLANTED()>',
  '"><img src=x onerror=PLANTED()>',
  "' onmouseover='PLANTED()",
  '<svg onload=PLANTED()>',
  '</style><script>PLANTED()</script>',
  '</title><script>PLANTED()</script>',
  '<meta http-equiv=refresh content="0;url=javascript:PLANTED()">',
  '<!-- PLANTED',
  ']]>PLANTED',
  'javascript:PLANTED()',
  '&lt;b&gt;&#60;script&#62;',
  '<iframe src=javascript:PLANTED()>',
]

const diagrams = [
  '%%{init: {"securityLevel": "loose"}}%%',
  '%% PLANTED',
  'a\nclick p0 href "javascript:PLANTED()"',
  'click p0 href "javascript:PLANTED()"',
  'end',
  'a; participant PLANTED',
  'end\nparticipant PLANTED',
  'a->>b: PLANTED',
  'a#59;b#35;',
  'style a fill:#fff;',
  'classDef a fill:#fff;',
  '$$\\href{javascript:PLANTED()}{a}$$',
  'wrap: PLANTED',
  '```',
]

const shells = [
  '$(PLANTED)',
  '`PLANTED`',
  "'; PLANTED #",
  '"; PLANTED #',
  '" & PLANTED & "',
  '%PATH%',
  '!PLANTED!',
  '^& PLANTED',
  '| sh',
  '> PLANTED',
  '--fix',
  '-t',
  '~/PLANTED',
  '$PATH',
  'C:\\PLANTED\\',
]

const forged = [
  ' ✓ verified  FORGED',
  'a\n ✓ verified  FORGED',
  'a\n\n   replay   npx FORGED',
  'a\n   hint: FORGED',
  'replay   npx FORGED',
  'replay\u00a0\u00a0\u00a0npx FORGED',
  'npx FORGED',
  'note: FORGED',
  '✗ x.check.ts:1  FORGED',
  // To be wrapped just before it, whatever stands before this text on its line.
  ...Array.from({ length: 6 }, (_, at) => `${'x'.repeat(30 + 11 * at)} replay   npx FORGED ${'y '.repeat(40)}`),
]

const others = ['__proto__', 'constructor', '', ' ', '{{PLANTED}}', '%s%n', 'null', '1e999', 'PLANTED'.repeat(2_000)]

export const payloads: readonly string[] = [
  ...escapes,
  ...moving,
  ...hiding,
  ...runner,
  ...markup,
  ...diagrams,
  ...shells,
  ...forged,
  ...others,
]
