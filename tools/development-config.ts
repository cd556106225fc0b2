import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { newSecret } from './new-secret.js';

const developmentConfigSchema = z.object({
  clientId: z.string(),
  clientSecret: z.string(),
  webhookSecret: z.string(),
  apiKey: z.string(),
  /** 32 bytes, base64. */
  codecKey: z.string(),
});

/** Secrets of one development stack; they live as long as its data, which is encrypted with one of them. */
export type DevelopmentConfig = z.infer<typeof developmentConfigSchema>;

/** Reads `<data folder>/config.json`, made with fresh random values (mode 0600) where it is missing. */
export function readDevelopmentConfig(dataFolder: string): DevelopmentConfig {
  const file = join(dataFolder, 'config.json');
  const existing = readIfThere(file);
  if (existing !== undefined) return developmentConfigSchema.parse(JSON.parse(existing));
  const config: DevelopmentConfig = {
    clientId: 'shop',
    clientSecret: newSecret(),
    webhookSecret: newSecret(),
    apiKey: `dev_${newSecret()}`,
    codecKey: randomBytes(32).toString('base64'),
  };
  mkdirSync(dataFolder, { recursive: true });
  writeFileSync(`${file}.partial`, `${JSON.stringify(config, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${file}.partial`, file);
  return config;
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
