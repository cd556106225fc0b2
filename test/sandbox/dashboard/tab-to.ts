import type { Page } from 'playwright-core';

/** Presses Tab until the element of that name has the focus. */
export async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  const passed: string[] = [];
  for (let presses = 0; presses < 100; presses += 1) {
    await page.keyboard.press('Tab');
    const focused = await page.evaluate<string>(NAME_OF_THE_FOCUSED);
    if (typeof name === 'string' ? focused === name : name.test(focused)) return;
    passed.push(focused);
  }
  throw new Error(`Tab leads nowhere to ${String(name)}, but to ${passed.join(' | ')}`);
}

const NAME_OF_THE_FOCUSED = `(() => {
  const focused = document.activeElement;
  const label = focused.getAttribute('aria-label') ?? focused.labels?.[0]?.textContent ?? focused.textContent;
  return label.trim();
})()`;
