import { expect, it } from 'vitest';
import { withoutSecrets } from '#api/notifications/shown-address.js';

it.each([
  ['https://shop.example/told', 'https://shop.example/told'],
  ['https://shop.example:8443/told?token=s3cret', 'https://shop.example:8443/told'],
  ['https://shop.example/told#s3cret', 'https://shop.example/told'],
  ['https://shop.example?token=s3cret', 'https://shop.example'],
  ['https://user:s3cret@shop.example/a@b', 'https://shop.example/a@b'],
  ['https://us@er:s3cret@shop.example/told', 'https://shop.example/told'],
])('shows host and path of %s alone', (url, shown) => {
  expect(withoutSecrets(url)).toBe(shown);
});
