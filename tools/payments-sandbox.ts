#!/usr/bin/env node
// The bin of the sandbox's package: `npm run sandbox`, whose data stay where it is called and not in node_modules.
import { resolve } from 'node:path';

process.env['DATA_DIR'] = resolve(process.env['DATA_DIR'] || '.data');
await import('./sandbox.js');
