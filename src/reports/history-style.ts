/** The style of pages with histories: light and dark, blue and orange rather than green and red. */

export const historyStyle = `:root {
  color-scheme: light dark;
  --page: #fff; --ink: #1b1f24; --quiet: #5c6670; --rule: #d5dbe1;
  --bar: #e3eefb; --edge: #4a7ebb; --bad: #fde5d2; --bad-edge: #c2410c; --point: #1d4ed8; --on-point: #fff;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #15181c; --ink: #e6e9ec; --quiet: #9aa4ae; --rule: #333a42;
    --bar: #1e3350; --edge: #6ea3e0; --bad: #4a2410; --bad-edge: #fb923c; --point: #93c5fd; --on-point: #10161d;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--ink); font: 15px/1.5 system-ui, sans-serif; }
main { max-width: 1400px; margin: 0 auto; padding: 24px; }
h1 { font: 600 18px/1.4 ui-monospace, monospace; margin: 0 0 8px; overflow-wrap: anywhere; }
h2 { font-size: 16px; margin: 24px 0 4px; }
.words { font-size: 16px; margin: 0 0 8px; white-space: pre-wrap; }
.note, .legend, .file { color: var(--quiet); font-size: 13px; }
a { color: var(--point); }
figure { display: flex; scroll-padding: 0 240px 0 160px; margin: 16px 0; overflow-x: auto; border: 1px solid var(--rule); border-radius: 6px; }
svg { display: block; flex: none; font: 13px ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace; }
svg text { fill: var(--ink); white-space: pre; }
.lane { stroke: var(--rule); stroke-dasharray: 2 4; }
.names { position: sticky; left: 0; background: var(--page); }
.process { font-weight: 700; }
.call rect, .call path { fill: var(--bar); stroke: var(--edge); }
.call.stuck rect, .call.stuck path { fill: var(--bad); stroke: var(--bad-edge); stroke-width: 2; }
.call:hover rect, .call:hover path { stroke-width: 3; }
.label, .result { paint-order: stroke; stroke: var(--bar); stroke-width: 5px; stroke-linejoin: round; pointer-events: none; }
.label.stuck { stroke: var(--bad); }
svg .result { fill: var(--quiet); stroke: var(--page); }
#stuck:target rect, #stuck:target path { stroke-width: 4; }
.order { fill: none; stroke: var(--point); stroke-width: 1.5; stroke-dasharray: 3 3; opacity: 0.7; pointer-events: none; }
.mark rect { fill: var(--point); }
.mark text { fill: var(--on-point); text-anchor: middle; font-size: 12px; font-weight: 700; }
.mark.stuck rect { fill: var(--bad-edge); }
.key { display: inline-block; min-width: 18px; padding: 0 4px; border-radius: 9px; text-align: center; color: var(--on-point); }
.mark-key { background: var(--point); }
.stuck-key { background: var(--bad-edge); }
pre { margin: 4px 0; padding: 8px 0; overflow-x: auto; border: 1px solid var(--rule); border-radius: 6px; font: 13px/1.5 ui-monospace, monospace; }
.row { display: block; width: max-content; min-width: 100%; padding: 0 12px; border-left: 4px solid transparent; }
.row.inside { background: var(--bad); border-left-color: var(--bad-edge); }
.number { display: inline-block; width: 4em; padding-right: 1em; text-align: right; color: var(--quiet); }
.file { float: right; }
pre.steps { padding: 8px 12px; line-height: 1.35; }
nav ol { margin: 0 0 24px; padding-left: 24px; font: 13px/1.6 ui-monospace, monospace; }
article { padding-bottom: 24px; margin-bottom: 24px; border-bottom: 1px solid var(--rule); }
ul { margin: 4px 0; padding-left: 20px; }
table { border-collapse: collapse; font: 13px ui-monospace, monospace; margin-top: 8px; }
th, td { padding: 2px 12px 2px 0; text-align: left; border-bottom: 1px solid var(--rule); overflow-wrap: anywhere; }
tr.stuck td { background: var(--bad); font-weight: 700; }
summary { cursor: pointer; }`
