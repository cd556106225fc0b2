import { createHash } from 'node:crypto';
import { Html } from './html.js';

/**
 * A page's style: exactly the bytes whose hash its policy allows, so no formatter may change what is between the tags.
 */
export class PageStyle {
  readonly element: Html;
  readonly #hash: string;

  constructor(css: string) {
    this.element = new Html(`<style>${css}</style>`);
    this.#hash = createHash('sha256').update(css).digest('base64');
  }

  /** No script runs and nothing is loaded. `moreDirectives` forbid what a kind of page does not need. */
  headers(referrerPolicy: 'no-referrer' | 'same-origin', moreDirectives = '') {
    return {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy':
        `default-src 'none'; style-src 'sha256-${this.#hash}'; ` +
        `base-uri 'none'; frame-ancestors 'none'${moreDirectives}`,
      'referrer-policy': referrerPolicy,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    };
  }
}
