/** Brings the PEM text behind a trusted address. Rejects if it cannot. */
export type FetchCertificate = (address: string) => Promise<string>;

const TIMEOUT_MS = 5_000;
const MAX_BYTES = 64 * 1024;

/** Bounded in time and size; a redirect is an error, since it would leave the trusted origin. */
export const fetchCertificate: FetchCertificate = async (address) => {
  const response = await fetch(address, { redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS) });
  if (response.status !== 200 || response.body === null) {
    await response.body?.cancel();
    throw new Error(`certificate answered with ${response.status}`);
  }
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body) {
    size += chunk.length;
    if (size > MAX_BYTES) throw new Error('certificate is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('latin1');
};
