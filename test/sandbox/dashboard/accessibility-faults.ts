/** Runs in the browser: what a page lacks for whoever sees nothing of it, or has no mouse. Answers a list of texts. */
export const ACCESSIBILITY_FAULTS = `(() => {
  const faults = [];
  const all = (selector) => [...document.querySelectorAll(selector)];
  const textOf = (element) => (element?.getAttribute('aria-label') ?? element?.textContent ?? '').trim();
  if (document.title === '' || document.documentElement.lang !== 'en') faults.push('no title or language');
  for (const landmark of ['header', 'main', 'header nav[aria-label]'])
    if (all(landmark).length !== 1) faults.push('not one ' + landmark);
  if (all('h1').length !== 1) faults.push('not one h1');
  let level = 0;
  for (const { tagName } of all('h1, h2, h3, h4')) {
    if (Number(tagName[1]) > level + 1) faults.push(tagName + ' after h' + level);
    level = Number(tagName[1]);
  }
  for (const control of all('input:not([type=hidden]), select, textarea'))
    if (textOf(control.labels?.[0]) === '') faults.push('no label: ' + control.name);
  for (const named of all('button, a')) if (textOf(named) === '') faults.push('no name: ' + named.outerHTML);
  for (const table of all('table')) {
    if (textOf(table.querySelector('caption')) === '') faults.push('a table without a caption');
    if (table.querySelector('thead th:not([scope])')) faults.push('a heading cell without a scope');
  }
  const ids = all('[id]').map(({ id }) => id);
  if (new Set(ids).size !== ids.length) faults.push('an id twice');
  for (const described of all('[aria-describedby], [aria-labelledby]'))
    for (const id of (described.getAttribute('aria-describedby') ?? described.getAttribute('aria-labelledby')).split(' '))
      if (document.getElementById(id) === null) faults.push('described by nothing: ' + id);
  return faults;
})()`;
