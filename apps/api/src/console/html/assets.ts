import { sha256 } from '../../auth/same-secret.js';
import { script } from './script.js';
import { style } from './style.js';

interface Asset {
  readonly type: string;
  readonly content: string;
}

const [styleName, scriptName] = [nameOf(style, 'css'), nameOf(script, 'js')];

/** The files of the console, by names that change with their content: browsers keep them. */
const assets: ReadonlyMap<string, Asset> = new Map([
  [styleName, { type: 'text/css; charset=utf-8', content: style }],
  [scriptName, { type: 'text/javascript; charset=utf-8', content: script }],
]);

export const styleAddress = `/console/assets/${styleName}`;
export const scriptAddress = `/console/assets/${scriptName}`;

export function findAsset(name: string): Asset | undefined {
  return assets.get(name);
}

function nameOf(content: string, extension: string): string {
  return `${sha256(content).toString('hex').slice(0, 16)}.${extension}`;
}
