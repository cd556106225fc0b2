/**
 * The console's only script. A page without it shows the same; with it, a page that is marked as live shows changes by
 * itself. It replaces a reload, but never what somebody types or has opened.
 */
export const script = `
const main = document.querySelector('main[data-live]');
const isInUse = () => document.hidden || main.querySelector('details[open]') !== null
  || main.contains(document.activeElement) && document.activeElement !== main;
async function refresh() {
  if (isInUse()) return;
  const answer = await fetch(location.href, { headers: { accept: 'text/html' } });
  if (!answer.ok || answer.redirected) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html').querySelector('main');
  if (fresh && !isInUse() && fresh.innerHTML !== main.innerHTML) main.replaceChildren(...fresh.childNodes);
}
if (main) setInterval(() => refresh().catch(() => undefined), Number(main.dataset.live) * 1000);
`;
