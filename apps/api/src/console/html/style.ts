/** Colours. Every text has a contrast of at least 4.5 with its background (WCAG 2.2, 1.4.3). */
const light = `--ground: #ffffff; --raised: #f4f6f9; --line: #ccd3dc; --text: #1a1f26; --muted: #545d69;
  --link: #0b4fb8; --action: #0b4fb8; --on-action: #ffffff; --good: #0f5f26; --good-ground: #ddf4e3;
  --caution: #6f4500; --caution-ground: #fcf0c8; --bad: #9a0d23; --bad-ground: #fde8e8; --focus: #b35900;`;
const dark = `--ground: #0f131a; --raised: #181e28; --line: #3b4452; --text: #e6ebf1; --muted: #a0aab7;
  --link: #8abaff; --action: #8abaff; --on-action: #0b1220; --good: #80dd96; --good-ground: #12291b;
  --caution: #eec45e; --caution-ground: #2d2410; --bad: #ffa59f; --bad-ground: #351a1b; --focus: #ffb84d;`;

export const style = `
:root { color-scheme: light dark; ${light} font: 0.9375rem/1.5 system-ui, sans-serif; }
@media (prefers-color-scheme: dark) { :root { ${dark} } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--text); }
a { color: var(--link); text-underline-offset: .15em; }
:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; border-radius: .2rem; }
.skip { position: absolute; left: -100rem; top: .5rem; padding: .5rem 1rem; background: var(--ground); z-index: 1; }
.skip:focus { left: .5rem; }
header { display: flex; flex-wrap: wrap; gap: .4rem 1.25rem; align-items: center; padding: .5rem 1.25rem;
  background: var(--raised); border-bottom: 1px solid var(--line); }
header .name { font-weight: 650; }
header ul { display: flex; flex-wrap: wrap; gap: .1rem; list-style: none; margin: 0; padding: 0; }
header nav a { display: block; padding: .3rem .65rem; border-radius: .35rem; color: inherit; text-decoration: none; }
header nav a:hover { text-decoration: underline; }
header nav a[aria-current] { background: var(--action); color: var(--on-action); }
header .search { display: flex; gap: .3rem; flex: 1 1 16rem; max-width: 34rem; }
header .search input { flex: 1; min-width: 0; }
header .who { margin-left: auto; display: flex; gap: .6rem; align-items: center; color: var(--muted); }
main { padding: 1rem 1.25rem 3rem; max-width: 84rem; margin: 0 auto; overflow-wrap: anywhere; }
main:focus { outline: none; }
h1 { font-size: 1.45rem; line-height: 1.25; margin: .25rem 0 .6rem; overflow-wrap: anywhere; }
h2 { font-size: 1.1rem; margin: 1.75rem 0 .6rem; }
h3 { font-size: 1rem; margin: 1.25rem 0 .4rem; }
p { max-width: 75ch; }
.lead { font-size: 1.15rem; margin: .2rem 0 1rem; max-width: 70ch; }
.muted { color: var(--muted); }
small { font-size: .84em; }
code, pre { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: .8125rem;
  overflow-wrap: anywhere; }
pre { background: var(--raised); border: 1px solid var(--line); border-radius: .4rem; padding: .75rem; margin: .4rem 0;
  max-height: 36rem; overflow: auto; white-space: pre-wrap; }
pre.whole { user-select: all; }
time { white-space: nowrap; font-variant-numeric: tabular-nums; }
table { border-collapse: collapse; width: 100%; } table + table { margin-top: 1rem; }
caption { text-align: left; padding: .4rem 0; color: var(--muted); }
th, td { text-align: left; vertical-align: top; padding: .4rem .75rem .4rem 0; border-top: 1px solid var(--line);
  overflow-wrap: anywhere; }
thead th { font-weight: 600; color: var(--muted); white-space: nowrap; overflow-wrap: normal; }
tbody th { font-weight: 500; }
td.number { font-variant-numeric: tabular-nums; white-space: nowrap; }
td form, td .actions { margin: 0; } td .actions { gap: .3rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .3rem 1.25rem; margin: .5rem 0; }
dt { color: var(--muted); } dd { margin: 0; overflow-wrap: anywhere; }
.badge { display: inline-block; padding: 0 .45rem; border-radius: .3rem; font-weight: 600; white-space: nowrap; }
.good { color: var(--good); background: var(--good-ground); }
.caution { color: var(--caution); background: var(--caution-ground); }
.bad { color: var(--bad); background: var(--bad-ground); }
.plain { color: var(--text); background: var(--raised); }
.notice { padding: .6rem .9rem; border-radius: .4rem; margin: 0 0 1rem; border-left: .3rem solid currentColor; }
.notice p { margin: .2rem 0; } .notice ul { margin: .3rem 0 0; padding-left: 1.2rem; }
.counters { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 11rem), 1fr)); gap: .7rem;
  padding: 0; margin: 0 0 1rem; list-style: none; }
.counters li { border: 1px solid var(--line); border-radius: .4rem; padding: .6rem .8rem; background: var(--raised); }
.counters strong { display: block; font-size: 1.5rem; line-height: 1.2; font-variant-numeric: tabular-nums; }
.counters a { color: inherit; display: block; }
.counters li.alert { border-color: var(--bad); } .counters li.alert strong { color: var(--bad); }
.chart { margin: 0; max-width: 17rem; }
.chart line { stroke: var(--line); }
.chart svg { display: block; width: 100%; height: auto; }
.chart path { fill: none; stroke: var(--link); stroke-width: 1.5; } .chart circle { fill: var(--link); }
.chart rect { fill: var(--bad); opacity: .6; } .chart figcaption { color: var(--muted); font-size: .84em; }
.columns { display: grid; grid-template-columns: minmax(0, 1fr); gap: 0 2.5rem; }
@media (min-width: 64rem) { .columns { grid-template-columns: minmax(0, 1fr) 21rem; } }
.columns > * { min-width: 0; }
.columns > div :is(time, thead th, td.number) { white-space: normal; overflow-wrap: anywhere; }
.actions { display: flex; flex-wrap: wrap; gap: .5rem; list-style: none; padding: 0; margin: .5rem 0 1rem; }
.actions a, button { font: inherit; font-weight: 600; padding: .3rem .85rem; border-radius: .35rem; cursor: pointer;
  border: 1px solid var(--action); background: none; color: var(--link); text-decoration: none; display: inline-block; }
button.primary { background: var(--action); color: var(--on-action); }
.history { list-style: none; margin: 0; padding: 0 0 0 1.1rem; border-left: 2px solid var(--line); }
.history li { position: relative; padding: 0 0 .8rem; }
.history li::before { content: ''; position: absolute; left: -1.45rem; top: .45rem; width: .6rem; height: .6rem;
  border-radius: 50%; background: var(--muted); border: 2px solid var(--ground); }
.history li.good-mark::before { background: var(--good); } .history li.caution-mark::before { background: var(--caution); }
.history li.bad-mark::before { background: var(--bad); }
.history li.to-come::before { background: var(--ground); border-color: var(--muted); }
.history .when { color: var(--muted); font-size: .84em; display: block; }
.history p { margin: 0; } details summary { cursor: pointer; color: var(--link); }
form.stack { max-width: 34rem; }
.field { margin: 0 0 1rem; } .field label, legend { font-weight: 600; display: block; }
.field small { color: var(--muted); display: block; }
.filters { display: flex; flex-wrap: wrap; gap: .6rem .9rem; align-items: end; padding: .8rem .9rem; margin: 0 0 1rem;
  background: var(--raised); border: 1px solid var(--line); border-radius: .4rem; }
.filters .field { margin: 0; min-width: 0; flex: 0 1 11rem; } .filters input, .filters select { width: 100%; }
input, select, textarea { font: inherit; color: inherit; background: var(--ground); border: 1px solid var(--muted);
  border-radius: .3rem; padding: .3rem .5rem; max-width: 100%; }
form.stack input:not([type=checkbox], [type=radio]), form.stack textarea { width: 100%; }
fieldset { border: 1px solid var(--line); border-radius: .4rem; margin: 0 0 1rem; padding: .4rem 1rem .7rem; }
.choice { display: block; font-weight: 400; padding: .1rem 0; }
[aria-invalid="true"] { border: 2px solid var(--bad); }
.issue { color: var(--bad); display: block; font-weight: 600; }
.pages { display: flex; gap: 1.25rem; margin: .9rem 0; }
@media (max-width: 44rem) {
  main, header { padding-left: .9rem; padding-right: .9rem; }
  header .who { margin-left: 0; }
  .filters .field { flex: 1 1 8rem; }
  dl { grid-template-columns: minmax(0, 1fr); gap: 0; } dd { margin-bottom: .5rem; }
  table.cards, table.cards caption, table.cards tbody, table.cards tr, table.cards th, table.cards td { display: block; }
  table.cards thead { position: absolute; left: -100rem; }
  table.cards tr { border: 1px solid var(--line); border-radius: .4rem; padding: .5rem .8rem; margin: 0 0 .7rem; }
  table.cards th, table.cards td { border: 0; padding: .1rem 0; }
  table.cards td[data-label]::before { content: attr(data-label) ': '; color: var(--muted); }
}
`;
