export { html, type Html } from '../pages/html.js';
export { page, PAGE_HEADERS } from '../pages/payer-page.js';
