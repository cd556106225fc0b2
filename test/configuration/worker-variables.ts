const application = {
  environment: 'sandbox',
  application: 'shop',
  baseUrl: 'https://provider.example',
  clientId: 'id',
  clientSecret: 'secret',
  webhookSecret: 'x'.repeat(24),
  webhookAuthentication: 'signature',
};
/** What a worker needs at least. */
export const variables = {
  DATABASE_URL: 'postgres://engine:secret@db/engine',
  CODEC_KEYS: `k:${Buffer.alloc(32).toString('base64')}`,
  PROVIDER_APPLICATIONS: JSON.stringify([application]),
  PUBLIC_URL: 'https://payments.example',
};
