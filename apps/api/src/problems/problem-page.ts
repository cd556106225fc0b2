import type { Problem } from './problem.js';

/** The page that a payer's browser shows when it cannot be redirected to the shop. */
export function problemPage(problem: Problem): string {
  const { message: title, detail } = problem;
  const advice =
    problem.status === 503
      ? 'Nothing is lost. Please reload this page in a moment.'
      : 'Please go back to the shop and look at your order there.';
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<h1>${escapeHtml(title)}</h1>
${detail === undefined ? '' : `<p>${escapeHtml(detail)}</p>`}
<p>${advice}</p>
</html>
`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
