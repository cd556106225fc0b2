export { hasCardNumber } from './card-numbers.js';
export { hasEmail, withoutEmails } from './emails.js';
export { storableText } from './storable-text.js';
