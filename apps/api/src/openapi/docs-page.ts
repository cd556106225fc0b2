import type { SwaggerCustomOptions } from '@nestjs/swagger';

/** Colours with enough contrast (WCAG 2.2, 1.4.3), and nothing to choose where there is one choice. */
const style = `
.swagger-ui .topbar, .swagger-ui .servers-title, .swagger-ui .servers { display: none }
.swagger-ui .info .title small pre.version { color: #fff; background: #1b1b1b }
.swagger-ui .info .title small.version-stamp { background: #2f5f0b }
.swagger-ui a, .swagger-ui .info a, .swagger-ui a.nostyle { color: #1a4e8a }
.swagger-ui .opblock .opblock-summary-method { text-shadow: none }
.swagger-ui .opblock.opblock-get .opblock-summary-method { background: #0b57a4 }
.swagger-ui .opblock.opblock-post .opblock-summary-method { background: #1d6b42 }
.swagger-ui .opblock.opblock-patch .opblock-summary-method { background: #0f6656 }
.swagger-ui .opblock.opblock-delete .opblock-summary-method { background: #a51111 }
.swagger-ui .opblock.opblock-options .opblock-summary-method { background: #0d5aa7 }
.swagger-ui .btn.authorize { color: #14592f; border-color: #14592f }
.swagger-ui .btn.execute { background: #0b57a4; border-color: #0b57a4 }
.swagger-ui .download-contents { color: #fff; background: #1b1b1b }
.swagger-ui .btn.cancel { color: #a51111; border-color: #a51111 }
.swagger-ui .btn.authorize svg { fill: #14592f }
.swagger-ui .json-schema-2020-12-expand-deep-button, .swagger-ui .json-schema-2020-12__attribute,
.swagger-ui .json-schema-2020-12-keyword__name--secondary, .swagger-ui .json-schema-2020-12-keyword__value--secondary,
.swagger-ui .parameter__in, .swagger-ui .prop-format, .swagger-ui .parameter__type { color: #4a4a4a }
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
  ['.responses-table', 'role', 'table'],
  ['.examples-select-element', 'aria-label', 'Example'],
  ['.body-param__text', 'aria-label', 'Body of the request'],
];
const complete = () => {
  for (const [selector, name, value] of roles)
    for (const element of document.querySelectorAll(selector))
      if (element.getAttribute(name) !== value) element.setAttribute(name, value);
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
 */
function parameterMacro(_operation: object, parameter: { readonly name?: string }): string | undefined {
  if (parameter.name !== 'Idempotency-Key') return undefined;
  const digits = [...crypto.getRandomValues(new Uint8Array(32))].map((byte) => (byte & 15).toString(16));
  return 'xxxxxxxx-xxxx-4xxx-8xxx-xxxxxxxxxxxx'.replaceAll('x', () => digits.pop() ?? '0');
}
