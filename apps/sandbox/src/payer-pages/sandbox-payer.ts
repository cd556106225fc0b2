/** The one payer of this service: whoever opens the approval page. */
export const SANDBOX_PAYER = {
  payer_id: 'SANDBOXPAYER1',
  email: 'payer@sandbox.example',
  first_name: 'Sandbox',
  last_name: 'Payer',
  country_code: 'US',
} as const;
