/**
 * Runs in the browser: what of a page is cut off, or can only be seen by scrolling sideways. Answers a list of texts.
 * Fields for text scroll by themselves while somebody types.
 */
export const CUT_OFF = `(() => {
  const cut = [];
  const nameOf = (element) => element.tagName + '.' + element.className + ' ' + element.textContent.trim().slice(0, 60);
  if (document.documentElement.scrollWidth > innerWidth) cut.push('the page is ' + document.documentElement.scrollWidth);
  for (const element of document.querySelectorAll('body *')) {
    if (element.matches('.skip, thead, thead *, input, option, datalist, script, style')) continue;
    const { left, right, width } = element.getBoundingClientRect();
    if (width > 0 && (right > innerWidth + 1 || left < -1)) cut.push('outside: ' + nameOf(element));
    if (element.scrollHeight > element.clientHeight + 1 && getComputedStyle(element).overflowY !== 'visible' && !element.matches('select, textarea'))
      cut.push('higher than its box: ' + nameOf(element));
    // Inline elements have no width of their own.
    if (element.clientWidth > 0 && element.scrollWidth > element.clientWidth + 1 && !element.matches('select'))
      cut.push('wider than its box: ' + nameOf(element));
  }
  const pen = document.createElement('canvas').getContext('2d');
  for (const select of document.querySelectorAll('select')) {
    const style = getComputedStyle(select);
    pen.font = style.fontSize + ' ' + style.fontFamily;
    const text = select.selectedOptions[0]?.textContent.trim() ?? '';
    const room = select.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
    const lines = Math.ceil(pen.measureText(text).width / room);
    if (select.clientHeight < lines * parseFloat(style.fontSize)) cut.push('a choice that is cut: ' + text);
  }
  return cut;
})()`;
