import type { SwaggerCustomOptions } from '@nestjs/swagger';

/**
 * Colours with enough contrast (WCAG 2.2, 1.4.3) in light and dark, nothing to choose where there is one choice, and
 * nothing wider than a phone: the columns of an answer stand below each other there.
 */
const style = `
.swagger-ui .topbar, .swagger-ui .servers-title, .swagger-ui .servers { display: none }
.swagger-ui .info .title small pre.version { color: #fff; background: #1b1b1b; border-radius: 57px }
.swagger-ui .opblock .opblock-summary-method { text-shadow: none }
.swagger-ui .webhooks .parameter__default { display: none }
.swagger-ui .download-contents { color: #fff; background: #1b1b1b }
html:not(.dark-mode) .swagger-ui {
  .info .title small.version-stamp { background: #2f5f0b }
  a, .info a, a.nostyle { color: #1a4e8a }
  .opblock.opblock-get .opblock-summary-method { background: #0b57a4 }
  .opblock.opblock-post .opblock-summary-method { background: #1d6b42 }
  .opblock.opblock-patch .opblock-summary-method { background: #0f6656 }
  .opblock.opblock-delete .opblock-summary-method { background: #a51111 }
  .opblock.opblock-options .opblock-summary-method { background: #0d5aa7 }
  .btn.authorize { color: #14592f; border-color: #14592f }
  .btn.authorize svg { fill: #14592f }
  .btn.execute { background: #0b57a4; border-color: #0b57a4 }
  .btn.cancel { color: #a51111; border-color: #a51111 }
  .json-schema-2020-12-expand-deep-button, .json-schema-2020-12__attribute,
  .json-schema-2020-12-keyword__name--secondary, .json-schema-2020-12-keyword__value--secondary,
  .parameter__in, .prop-format, .parameter__type { color: #4a4a4a }
}
html.dark-mode .swagger-ui {
  a, .info a, a.nostyle { color: #7db7ff }
  table.headers td, .parameter__in, .prop-format, .parameter__type, .examples-select__section-label { color: #e4e6e6 }
  .opblock .btn.try-out__btn.cancel, .btn.cancel { color: #ff8f8f; border-color: #ff8f8f }
}
@media (max-width: 640px) {
  .swagger-ui {
    .wrapper { padding: 0 8px }
    .opblock-summary-path { word-break: break-all }
    .responses-table, .parameters {
      &, & > thead, & > tbody, & > tbody > tr, & > tbody > tr > td { display: block; width: auto; min-width: 0; padding: 0 }
      & > thead { display: none }
      & > tbody > tr { padding-bottom: 1.5em }
      & > tbody > tr > td { padding-top: .5em; overflow-wrap: anywhere }
    }
    .parameters-col_description input, .parameters-col_description select { max-width: 100%; min-width: 0 }
    .headers td { overflow-wrap: break-word }
    .operation-link pre { white-space: pre-wrap }
    .response-controls { display: block }
    .response-controls select, .response-control-media-type { width: 100%; max-width: none }
  }
}
`;

/** Runs in the browser: what Swagger UI does not say to those who hear the page. */
export const docsScript = `
const roles = [
  ['.information-container', 'role', 'banner'],
  ['.scheme-container', 'role', 'region'],
  ['.scheme-container', 'aria-label', 'Authorization'],
  ['.info .title', 'aria-level', '1'],
  ['.opblock-tag', 'aria-level', '2'],
  ['.models h4', 'aria-level', '2'],
  ['.opblock-body h4', 'aria-level', '3'],
  ['.opblock-body h5', 'aria-level', '4'],
  ['.opblock-body pre', 'tabindex', '0'],
  // Also where the rows stand below each other, which takes their own roles from them.
  ['.responses-table, .parameters', 'role', 'table'],
  [':is(.responses-table, .parameters) > :is(thead, tbody)', 'role', 'rowgroup'],
  [':is(.responses-table, .parameters) > * > tr', 'role', 'row'],
  [':is(.responses-table, .parameters) > * > tr > *', 'role', 'cell'],
  ['.examples-select-element', 'aria-label', 'Example'],
  ['.body-param__text', 'aria-label', 'Body of the request'],
];
const complete = () => {
  for (const [selector, name, value] of roles)
    for (const element of document.querySelectorAll(selector))
      if (element.getAttribute(name) !== value) element.setAttribute(name, value);
  for (const choice of document.querySelectorAll('tr[data-param-name] select:not([aria-label])'))
    choice.setAttribute('aria-label', choice.closest('tr').dataset.paramName);
};
new MutationObserver(complete).observe(document.getElementById('swagger-ui'), { childList: true, subtree: true });
complete();
`;

export const docsScriptPath = '/docs/page.js';

/** The page to try the API: it loads files of its own origin only. */
export const docsPage: SwaggerCustomOptions = {
  raw: false,
  customSiteTitle: 'Payments API',
  customCss: style,
  customJs: docsScriptPath,
  swaggerOptions: {
    validatorUrl: null,
    tryItOutEnabled: true,
    // A link within the button of each operation would be a second thing to press.
    deepLinking: false,
    // Its colours are too pale, and long answers are slow to colour.
    syntaxHighlight: { activated: false },
    parameterMacro,
  },
};

/**
 * Sent to the browser as its text. A key of its own for each operation that is opened: a random UUID (version 4).
 * `crypto.randomUUID` is only in pages of https and of the own machine.
 *
 * @returns for other parameters no value, but not undefined: the page would never show an operation that has one.
 */
function parameterMacro(_operation: object, parameter: { readonly name?: string }): string {
  if (parameter.name !== 'Idempotency-Key') return '';
  const digits = [...crypto.getRandomValues(new Uint8Array(32))].map((byte) => (byte & 15).toString(16));
  return 'xxxxxxxx-xxxx-4xxx-8xxx-xxxxxxxxxxxx'.replaceAll('x', () => digits.pop() ?? '0');
}
