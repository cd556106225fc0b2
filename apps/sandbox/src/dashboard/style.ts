import { PageStyle } from '../pages/page-headers.js';
import { paletteCss, PALETTES } from './palette.js';

export const STYLE = new PageStyle(`
:root { color-scheme: light dark; ${paletteCss(PALETTES.light)} font: 0.875rem/1.45 system-ui, sans-serif; }
@media (prefers-color-scheme: dark) { :root { ${paletteCss(PALETTES.dark)} } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--text); }
a { color: var(--link); text-underline-offset: .15em; }
:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; border-radius: .2rem; }
.skip { position: absolute; left: -100rem; top: .5rem; padding: .5rem 1rem; background: var(--ground); z-index: 1; }
.skip:focus { left: .5rem; }
header { display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; align-items: center; padding: .5rem 1.25rem;
  background: var(--raised); border-bottom: 1px solid var(--line); }
header .name { font-weight: 650; }
header ul { display: flex; flex-wrap: wrap; gap: .1rem; list-style: none; margin: 0; padding: 0; }
header nav a { display: block; padding: .35rem .7rem; border-radius: .35rem; color: inherit; text-decoration: none; }
header nav a:hover { text-decoration: underline; }
header nav a[aria-current] { background: var(--action); color: var(--on-action); }
header form { margin-left: auto; }
main { padding: 1rem 1.25rem 3rem; max-width: 110rem; margin: 0 auto; overflow-wrap: anywhere; }
main:focus { outline: none; }
h1 { font-size: 1.4rem; line-height: 1.25; margin: .25rem 0 1rem; overflow-wrap: anywhere; }
h2 { font-size: 1.1rem; margin: 1.75rem 0 .6rem; }
h3 { font-size: 1rem; margin: 1.25rem 0 .4rem; }
p { max-width: 75ch; }
.muted { color: var(--muted); }
code, pre, .code { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: .8125rem; }
pre { background: var(--raised); border: 1px solid var(--line); border-radius: .4rem; padding: .75rem; margin: .4rem 0;
  white-space: pre-wrap; overflow-wrap: anywhere; }
.scroll { overflow-x: auto; border: 1px solid var(--line); border-radius: .4rem; }
table { border-collapse: collapse; width: 100%; }
caption { text-align: left; padding: .5rem .75rem; color: var(--muted); }
th, td { text-align: left; vertical-align: top; padding: .35rem .7rem; border-top: 1px solid var(--line);
  overflow-wrap: normal; }
thead th { background: var(--raised); font-weight: 600; white-space: nowrap; }
tbody th { font-weight: 500; }
th.number { text-align: right; }
td.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
td.instant { white-space: nowrap; font-variant-numeric: tabular-nums; }
td.short { white-space: nowrap; }
td.id { overflow-wrap: anywhere; min-width: 8rem; }
td.wide { overflow-wrap: anywhere; min-width: 10rem; }
td ol { margin: 0; padding-left: 1.2rem; }
td form { margin: 0; } td button { padding: 0 .6rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .3rem 1.25rem; margin: .5rem 0; }
dt { color: var(--muted); } dd { margin: 0; overflow-wrap: anywhere; }
.badge { display: inline-block; padding: 0 .45rem; border-radius: .3rem; font-weight: 600; }
.good { color: var(--good); background: var(--good-ground); }
.caution { color: var(--caution); background: var(--caution-ground); }
.bad { color: var(--bad); background: var(--bad-ground); }
.plain { color: var(--text); background: var(--raised); }
.notice { padding: .6rem .9rem; border-radius: .4rem; margin: 0 0 1rem; border-left: .3rem solid currentColor; }
.notice ul { margin: .3rem 0 0; padding-left: 1.2rem; }
.filters { display: flex; flex-wrap: wrap; gap: .6rem .9rem; align-items: start; padding: .8rem .9rem; margin: 0 0 1rem;
  background: var(--raised); border: 1px solid var(--line); border-radius: .4rem; }
.field { display: flex; flex-direction: column; gap: .2rem; min-width: 0; max-width: 100%; }
.field.long { flex: 1 1 16rem; }
.filters input { width: 10rem; }
.filters > button, .filters > a { margin-top: 1.5rem; } .filters > a { padding: .35rem 0; }
.field small { color: var(--muted); }
label, legend { font-weight: 600; }
input, select, textarea { font: inherit; color: inherit; background: var(--ground); border: 1px solid var(--muted);
  border-radius: .3rem; padding: .3rem .5rem; max-width: 100%; }
.filters .long input { width: 100%; }
.filters select { max-width: min(100%, 22rem); }
/* Only a select that the browser does not draw breaks its text. */
select { appearance: none; white-space: normal; overflow-wrap: anywhere; padding-right: 1.8rem;
  background: var(--ground) linear-gradient(45deg, transparent 50%, currentColor 50%) right .85rem top .8rem / .35rem .35rem
  no-repeat; background-image: linear-gradient(45deg, transparent 50%, currentColor 50%),
  linear-gradient(-45deg, transparent 50%, currentColor 50%); background-position: right .95rem top .8rem,
  right .6rem top .8rem; }
[aria-invalid="true"] { border: 2px solid var(--bad); }
.issue { color: var(--bad); background: var(--bad-ground); padding: 0 .3rem; }
fieldset input, fieldset select, fieldset textarea { width: 100%; }
fieldset { border: 1px solid var(--line); border-radius: .4rem; margin: 0 0 1rem; padding: .6rem 1rem 1rem;
  display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 17rem), 1fr)); gap: .8rem 1.2rem;
  align-items: start; }
button { font: inherit; font-weight: 600; padding: .35rem .9rem; border-radius: .35rem; cursor: pointer;
  border: 1px solid var(--action); background: none; color: var(--link); }
button.primary { background: var(--action); color: var(--on-action); }
button.danger { border-color: var(--bad); color: var(--bad); }
.links { display: flex; flex-wrap: wrap; gap: .3rem 1.5rem; list-style: none; margin: .4rem 0; padding: 0; }
.pages { display: flex; gap: 1.25rem; margin: .9rem 0; }
.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 15rem), 1fr)); gap: .8rem; padding: 0;
  list-style: none; }
.cards li { border: 1px solid var(--line); border-radius: .4rem; padding: .8rem 1rem; background: var(--raised); }
.cards a { font-weight: 600; }
.cards p { margin: .2rem 0 0; color: var(--muted); }
.columns { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 34rem), 1fr)); gap: 0 2rem; }
.columns > section { min-width: 0; }
@media (max-width: 60rem) {
  .scroll { overflow: visible; border: 0; }
  table, caption, tbody, tr { display: block; }
  caption { padding: 0 0 .5rem; }
  thead { position: absolute; left: -100rem; }
  tbody tr { border: 1px solid var(--line); border-radius: .4rem; padding: .5rem .8rem; margin: 0 0 .7rem; }
  td[data-label] { display: grid; grid-template-columns: minmax(5.5rem, 30%) minmax(0, 1fr); gap: .75rem; border: 0;
    padding: .15rem 0; min-width: 0; text-align: left; white-space: normal; overflow-wrap: anywhere; }
  td[data-label]::before { content: attr(data-label); color: var(--muted); overflow-wrap: normal; }
  td.empty { display: none; } }
@media (max-width: 40rem) { main, header { padding-left: .8rem; padding-right: .8rem; }
  .filters > button, .filters > a { margin-top: 0; }
  dl { grid-template-columns: 1fr; gap: 0; } dd { margin-bottom: .5rem; } }
`);

/**
 * Forms lead nowhere else. Only this origin gets a referrer: without any, a browser would not name the form's origin.
 */
export const DASHBOARD_HEADERS = STYLE.headers('same-origin', "; form-action 'self'");
