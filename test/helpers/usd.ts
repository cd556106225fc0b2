export const usd = (value: string) => ({ value, currency: 'USD' });
